import { nameAt as nameOf, skipSpace, skipValue, walkMembers } from "./json-scan.js";

/** The bytes of a new value, from those of the value that stands there. */
export type ValueChange = (bytes: Buffer) => Buffer;

interface Member {
  name: string;
  /** Its opening quote. */
  at: number;
  valueAt: number;
  /** Behind its value. */
  end: number;
}

/**
 * The line of an entry with other values of some of its members; every other byte stays, so that numbers, white space and
 * repeated names are what they were: of these the last one counts. Members that it lacks come first.
 * @param line a whole JSON object
 * @param values what JSON can hold, a function where a member stands, or undefined to take a member out
 */
export function withMembers(line: Buffer, values: Record<string, unknown>): Buffer {
  const open = skipSpace(line, 0, line.length);
  const members = membersOf(line, open);
  const effective = new Map(members.map((member) => [member.name, member]));
  const isRemoved = (name: string) => Object.hasOwn(values, name) && values[name] === undefined;
  const added = Object.entries(values)
    .filter(([name, value]) => value !== undefined && typeof value !== "function" && !effective.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);

  const pieces = [line.subarray(0, open + 1), Buffer.from(added.join(","))];
  let isFirst = true;
  for (const [index, { name, at, valueAt, end }] of members.entries()) {
    if (isRemoved(name)) continue;
    if (isFirst) {
      if (added.length > 0) pieces.push(comma);
      pieces.push(line.subarray(open + 1, members[0]?.at));
    } else pieces.push(line.subarray(members[index - 1]?.end, at));
    isFirst = false;
    const isChanged = Object.hasOwn(values, name) && effective.get(name)?.at === at;
    pieces.push(line.subarray(at, valueAt));
    pieces.push(isChanged ? newValue(values[name], line.subarray(valueAt, end)) : line.subarray(valueAt, end));
  }
  pieces.push(line.subarray(members.at(-1)?.end ?? open + 1));
  return Buffer.concat(pieces);
}

const comma = Buffer.from(",");

function membersOf(line: Buffer, open: number): Member[] {
  const members: Member[] = [];
  const visit = (nameAt: number, nameEnd: number, valueAt: number) => {
    const end = skipValue(line, valueAt, line.length);
    if (end >= 0) members.push({ name: nameOf(line, nameAt, nameEnd), at: nameAt - 1, valueAt, end });
    return end;
  };
  if (walkMembers(line, open, line.length, visit, true) < 0) throw new Error("A line to be changed is no JSON object");
  return members;
}

function newValue(value: unknown, bytes: Buffer): Buffer {
  return typeof value === "function" ? (value as ValueChange)(bytes) : Buffer.from(JSON.stringify(value));
}
