import { BROKEN, bytesAre, skipValue, walkItems, walkMembers } from "./json-scan.js";
import { ANSWERED_BLOCKS, BLOCK_SHAPES, type Kind, OPTIONAL_OF_ANSWERS, STOP_REASONS, TOLD_BLOCKS } from "./repair.js";

type MemberKind = Kind | "usage" | "cost" | "blocks" | "stopReason";

interface Member {
  name: string;
  kind: MemberKind;
  /** One bit of its own. */
  bit: number;
}

interface Shape {
  /** By the length of their names: few are compared. */
  members: readonly (readonly Member[] | undefined)[];
  /** The bits of those that must be there. */
  required: number;
  blocks: readonly string[];
}

const NUMBERS = ["input", "output", "cacheRead", "cacheWrite"];
const usageShape = shape(
  [...NUMBERS, "totalTokens", "cost"],
  { ...numbers([...NUMBERS, "totalTokens", "cacheWrite1h", "reasoning"]), cost: "cost" },
  [],
);
const costShape = shape([...NUMBERS, "total"], numbers([...NUMBERS, "total"]), []);
/** Roles that most messages have; the others are few, and left to the parser. */
const shapes: ReadonlyMap<string, Shape> = new Map([
  ["user", shape(["content", "timestamp"], { content: "blocks", timestamp: "number" }, TOLD_BLOCKS)],
  [
    "assistant",
    shape(
      ["content", "api", "provider", "model", "usage", "stopReason", "timestamp"],
      {
        ...OPTIONAL_OF_ANSWERS,
        content: "blocks",
        api: "string",
        provider: "string",
        model: "string",
        usage: "usage",
        stopReason: "stopReason",
        timestamp: "number",
      },
      ANSWERED_BLOCKS,
    ),
  ],
  [
    "toolResult",
    shape(
      ["toolCallId", "toolName", "content", "isError", "timestamp"],
      {
        toolCallId: "string",
        toolName: "string",
        content: "blocks",
        isError: "boolean",
        timestamp: "number",
        usage: "usage",
        nestedCalls: "object",
        durationMs: "number",
      },
      TOLD_BLOCKS,
    ),
  ],
]);
const blockShapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries(BLOCK_SHAPES).map(([type, { required, optional }]) => {
    const all = { ...optional, ...required, ...(type === "toolCall" && { arguments: "object" as const }) };
    return [type, shape([...Object.keys(required), ...(type === "toolCall" ? ["arguments"] : [])], all, [])];
  }),
);

/**
 * The bytes of the `message` of an entry that is certain to need no repair; undefined for others, and for some good ones
 * that were written by a stranger. Only the kinds of its members are looked at, not their text.
 * @param line of an entry of type `message`
 */
export function storedMessage(line: Buffer): Buffer | undefined {
  let end = line.length;
  while (end > 0 && (line[end - 1] ?? 0) <= 0x20) end--;
  const start = line.subarray(0, usualStartWithin).indexOf(usualStart);
  if (start < 0 || !isTopLevel(line, start)) return undefined;
  const at = start + usualStart.length - 1;
  const role = nameFirst(line, at, end, "role");
  const expected = role === undefined ? undefined : shapes.get(role);
  // Nothing but the bracket of the entry follows: the message is its last member.
  return expected && skipShaped(line, at, end, expected) === end - 1 ? line.subarray(at, end - 1) : undefined;
}

const usualStart = Buffer.from(',"message":{');
/** Type, id, parent and time stand before it. */
const usualStartWithin = 260;

/** Only strings and nulls before it: no bracket but the first. */
function isTopLevel(line: Buffer, end: number): boolean {
  for (let at = 1; at < end; at++) if (line[at] === 0x7b || line[at] === 0x5b) return false;
  return true;
}

/** The text of a member that stands first in its object; undefined when another one does. */
function nameFirst(bytes: Buffer, at: number, end: number, name: string): string | undefined {
  const from = at + name.length + 4;
  if (!bytesAre(bytes, at, from, `{"${name}":`)) return undefined;
  const to = bytes[from] === 0x22 ? skipValue(bytes, from, Math.min(end, from + 24)) : BROKEN;
  return to < 0 ? undefined : bytes.toString("latin1", from + 1, to - 1);
}

/** @returns behind the object, or a negative number when it is not of this shape */
function skipShaped(bytes: Buffer, at: number, end: number, expected: Shape): number {
  let found = 0;
  const behind = walkMembers(bytes, at, end, (nameAt, nameEnd, from) => {
    const member = expected.members[nameEnd - nameAt]?.find(({ name }) => bytesAre(bytes, nameAt, nameEnd, name));
    if (!member) return skipValue(bytes, from, end);
    // Of two members with one name the last one counts: the parser knows what that makes of the whole.
    if ((found & member.bit) !== 0) return BROKEN;
    found |= member.bit;
    switch (member.kind) {
      case "usage":
        return skipShaped(bytes, from, end, usageShape);
      case "cost":
        return skipShaped(bytes, from, end, costShape);
      case "blocks":
        return skipBlocks(bytes, from, end, expected.blocks);
      default:
        return skipKind(bytes, from, end, member.kind);
    }
  });
  return (found & expected.required) === expected.required ? behind : BROKEN;
}

function skipBlocks(bytes: Buffer, at: number, end: number, types: readonly string[]): number {
  // A text alone is one block, but not for every role: the parser decides.
  if (bytes[at] !== 0x5b) return BROKEN;
  return walkItems(bytes, at, end, (itemAt) => {
    const type = nameFirst(bytes, itemAt, end, "type");
    const expected = type !== undefined && types.includes(type) ? blockShapes.get(type) : undefined;
    return expected ? skipShaped(bytes, itemAt, end, expected) : BROKEN;
  });
}

function skipKind(bytes: Buffer, at: number, end: number, kind: Kind | "stopReason"): number {
  const to = skipValue(bytes, at, end);
  if (to < 0) return to;
  if (kind === "stopReason") return STOP_REASONS.includes(bytes.toString("latin1", at + 1, to - 1)) ? to : BROKEN;
  return kindAt(bytes, at, to) === kind ? to : BROKEN;
}

function kindAt(bytes: Buffer, at: number, end: number): Kind | undefined {
  switch (bytes[at]) {
    case 0x22:
      return "string";
    case 0x7b:
      return "object";
    case 0x5b:
      return "array";
    case 0x74:
    case 0x66:
      return "boolean";
    case 0x6e:
      return undefined;
    default:
      // With an exponent a number may be too large to be one.
      for (let index = at; index < end; index++) if (bytes[index] === 0x65 || bytes[index] === 0x45) return undefined;
      return "number";
  }
}

function shape(required: readonly string[], kinds: Record<string, MemberKind>, blocks: readonly string[]): Shape {
  const members: Member[][] = [];
  let requiredBits = 0;
  // What an object is of stands first in it, and was looked at.
  const all: [string, MemberKind][] = [...Object.entries(kinds), ["role", "string"], ["type", "string"]];
  for (const [index, [name, kind]] of all.entries()) {
    const bit = 1 << index;
    if (required.includes(name)) requiredBits |= bit;
    members[name.length] = [...(members[name.length] ?? []), { name, kind, bit }];
  }
  return { members, required: requiredBits, blocks };
}

function numbers(names: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, "number" as const]));
}
