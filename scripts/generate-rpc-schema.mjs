// Writes the description of the RPC protocol for clients in other languages: JSON Schema, made from the TypeScript types.
// `--check` only compares with what is there.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGenerator } from "ts-json-schema-generator";
import { root } from "./lib/setup.mjs";

export const schemaFile = join(root, "packages", "coding-agent", "rpc-protocol.schema.json");

/** @returns {string} the schema as it should be on disk */
export function rpcSchema() {
  const schema = createGenerator({
    path: join(root, "packages", "coding-agent", "src", "modes", "rpc", "rpc-types.ts"),
    tsconfig: join(root, "tsconfig.json"),
    type: "RpcProtocol",
    expose: "export",
    // Newer programs may say more: readers ignore what they do not know.
    additionalProperties: true,
    skipTypeCheck: true,
  }).createSchema("RpcProtocol");
  const definitions = /** @type {Record<string, object>} */ (schema.definitions);
  // Messages of applications are merged into the type from elsewhere, which the generator cannot follow.
  definitions["AgentMessage"] = { $ref: "#/definitions/WireMessage" };
  const title = "Lines of `pi --mode rpc`: RpcProtocol.input is written by clients, RpcProtocol.output by the program.";
  return `${JSON.stringify({ title, ...schema }, null, 1)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const wanted = rpcSchema();
  if (!process.argv.includes("--check")) writeFileSync(schemaFile, wanted);
  else if (readFileSync(schemaFile, "utf8") !== wanted) {
    console.error("rpc-protocol.schema.json is out of date. Run: node scripts/generate-rpc-schema.mjs");
    process.exit(1);
  }
}
