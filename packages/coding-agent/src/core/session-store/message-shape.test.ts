import fc from "fast-check";
import { expect, it } from "vitest";
import { storedMessage } from "./message-shape.js";
import { repairedMessage } from "./repair.js";

const members: readonly [string, readonly string[]][] = [
  [
    "content",
    ['[{"type":"text","text":"x"}]', '[{"type":"text","text":1}]', '[{"type":"text","type":"x","text":""}]', "null"],
  ],
  ["timestamp", ["1", '"soon"', "1e400"]],
  ["role", ['"user"', '"toolResult"', "7"]],
  ["toolCallId", ['"c"', "null"]],
  ["toolName", ['"t"', "[]"]],
  ["isError", ["true", "0"]],
  ["other", ["12345678901234567890", "{}"]],
];
const member = fc
  .constantFrom(...members)
  .chain(([name, values]) => fc.constantFrom(...values).map((value) => `"${name}":${value}`));
const whole = ['"content":[{"type":"text","text":"x"}]', '"timestamp":1'];

it("takes no message that needs repair, whatever its members are and however often they come", () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.array(member, { maxLength: 3 }), fc.boolean(), (others, isWhole) => {
      const message = `{${['"role":"user"', ...(isWhole ? whole : []), ...others].join(",")}}`;
      const line = `{"type":"message","id":"a","parentId":null,"timestamp":"t","message":${message}}`;
      const stored = storedMessage(Buffer.from(line))?.toString();
      if (stored === undefined) return;
      taken++;
      expect(stored).toBe(message);
      const parsed = JSON.parse(stored);
      expect(repairedMessage(parsed, 0)).toBe(parsed);
    }),
    { numRuns: 1000 },
  );
  expect(taken).toBeGreaterThan(50);
});
