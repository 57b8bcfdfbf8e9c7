import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv, type ValidateFunction } from "ajv";

const path = fileURLToPath(new URL("../rpc-protocol.schema.json", import.meta.url));
const ajv = new Ajv({ strict: false, allErrors: false });
ajv.addSchema(JSON.parse(readFileSync(path, "utf8")), "rpc");

const compiled = new Map<string, ValidateFunction>();

/** Why a record does not fit a named type of the published protocol; undefined when it does. */
export function schemaProblem(type: "RpcRecord" | "RpcCommand", record: unknown): string | undefined {
  const known = compiled.get(type) ?? ajv.compile({ $ref: `rpc#/definitions/${type}` });
  compiled.set(type, known);
  if (known(record)) return undefined;
  return `${ajv.errorsText(known.errors?.slice(0, 4))}: ${JSON.stringify(record).slice(0, 400)}`;
}
