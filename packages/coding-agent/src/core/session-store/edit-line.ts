import { bytesAre, skipSpace, skipValue, walkMembers } from "./json-scan.js";

/**
 * The line of an entry with other values of some of its members; every other byte stays, so that numbers, white space and
 * repeated names are what they were. Members that it lacks come first.
 * @param values what JSON can hold; a function is given the bytes of the value that stands there
 */
export function withMembers(line: Buffer, values: Record<string, unknown>): Buffer {
  const names = Object.keys(values);
  const missing = new Set(names);
  const pieces: Buffer[] = [];
  const open = skipSpace(line, 0, line.length);
  let copied = open + 1;
  const end = walkMembers(line, open, line.length, (nameAt, nameEnd, valueAt) => {
    const behind = skipValue(line, valueAt, line.length);
    const name = names.find((one) => bytesAre(line, nameAt, nameEnd, one));
    if (behind < 0 || name === undefined) return behind;
    pieces.push(line.subarray(copied, valueAt), newValue(values[name], line.subarray(valueAt, behind)));
    copied = behind;
    missing.delete(name);
    return behind;
  });
  if (end < 0) return rewritten(line, values);
  const isEmpty = line[skipSpace(line, open + 1, line.length)] === 0x7d;
  const added = [...missing].map((name) => `${JSON.stringify(name)}:${newValue(values[name], undefined)}`).join(",");
  const first = Buffer.from(added === "" || isEmpty ? added : `${added},`);
  return Buffer.concat([line.subarray(0, open + 1), first, ...pieces, line.subarray(copied)]);
}

type Change = (bytes: Buffer) => Buffer;

function newValue(value: unknown, bytes: Buffer | undefined): Buffer {
  return typeof value === "function" && bytes ? (value as Change)(bytes) : Buffer.from(JSON.stringify(value));
}

/** For names that are written with escapes: only a parser can tell what they say. */
function rewritten(line: Buffer, values: Record<string, unknown>): Buffer {
  const entry = JSON.parse(line.toString("utf8")) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    const old = entry[name];
    entry[name] =
      typeof value === "function" && old !== undefined
        ? JSON.parse((value as Change)(Buffer.from(JSON.stringify(old))).toString("utf8"))
        : value;
  }
  return Buffer.from(JSON.stringify(entry));
}
