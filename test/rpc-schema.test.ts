import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rpcSchema, schemaFile } from "../scripts/generate-rpc-schema.mjs";

it("the published description of the RPC protocol is that of the types", () => {
  // Out of date: run `node scripts/generate-rpc-schema.mjs`.
  expect(readFileSync(schemaFile, "utf8")).toBe(rpcSchema());
}, 120_000);
