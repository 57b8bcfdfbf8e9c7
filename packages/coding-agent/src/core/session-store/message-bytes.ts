import type { SessionEntry } from "./entries.js";
import { bytesAre, skipSpace, skipValue, walkMembers } from "./json-scan.js";

const usualStart = Buffer.from(',"message":{');
/** Id, parent and time stand before it. */
const usualStartWithin = 200;

/**
 * The JSON of the `message` of an entry, a part of its line; undefined when it cannot be told apart.
 * @param entry the same, parsed
 */
export function messageBytes(line: Buffer, entry: SessionEntry): Buffer | undefined {
  let end = line.length;
  while (end > 0 && (line[end - 1] ?? 0) <= 0x20) end--;
  const at = line.subarray(0, usualStartWithin).indexOf(usualStart);
  if (at > 0 && isLastMember(entry) && line[end - 2] === 0x7d && isTopLevel(line, at))
    return line.subarray(at + usualStart.length - 1, end - 1);
  let found: Buffer | undefined;
  walkMembers(line, skipSpace(line, 0, end), end, (nameAt, nameEnd, valueAt) => {
    const valueEnd = skipValue(line, valueAt, end);
    if (bytesAre(line, nameAt, nameEnd, "message")) found = line.subarray(valueAt, valueEnd);
    return valueEnd;
  });
  return found;
}

function isLastMember(entry: SessionEntry): boolean {
  const names = Object.keys(entry);
  // Names that are numbers come first in JavaScript, wherever they stand in the text.
  return names.at(-1) === "message" && Number.isNaN(Number(names[0]));
}

/** Only strings and nulls before it: no bracket but the first. */
function isTopLevel(line: Buffer, end: number): boolean {
  for (let at = 1; at < end; at++) if (line[at] === 0x7b || line[at] === 0x5b) return false;
  return true;
}
