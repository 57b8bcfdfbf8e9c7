import fc from "fast-check";
import { expect, it } from "vitest";
import { withMembers } from "./edit-line.js";

const edited = (line: string, values: Record<string, unknown>) => withMembers(Buffer.from(line), values).toString();

it.each<[string, Record<string, unknown>, string]>([
  ['{"id":"a","parentId":"b","x":1.0}', { parentId: null }, '{"id":"a","parentId":null,"x":1.0}'],
  [
    '{ "big" : 12345678901234567890 , "parentId" : "b" }',
    { parentId: "c" },
    '{ "big" : 12345678901234567890 , "parentId" : "c" }',
  ],
  ['{"parentId":1,"parentId":2}', { parentId: "c" }, '{"parentId":"c","parentId":"c"}'],
  ['{"type":"x"}', { id: "a", parentId: null }, '{"id":"a","parentId":null,"type":"x"}'],
  ["{}", { id: "a" }, '{"id":"a"}'],
  [
    '{"message":{"role":"hookMessage","n":1.50}}',
    { message: (bytes: Buffer) => withMembers(bytes, { role: "custom" }) },
    '{"message":{"role":"custom","n":1.50}}',
  ],
  ['{"\\u0069d":"a","n":1.0}', { id: "b" }, '{"id":"b","n":1}'],
  ['{"a":{"id":"inner"},"id":"outer"}', { id: "new" }, '{"a":{"id":"inner"},"id":"new"}'],
])("%s with other members", (line, values, expected) => {
  expect(edited(line, values)).toBe(expected);
});

it("says what a parser would have made of it", () => {
  const value = fc.jsonValue();
  const entries = fc.dictionary(fc.oneof(fc.constantFrom("id", "parentId", "type"), fc.string()), value);
  fc.assert(
    fc.property(
      entries,
      fc.dictionary(fc.constantFrom("id", "parentId", "label"), value),
      fc.nat(2),
      (entry, values, space) => {
        const text = JSON.stringify(entry, undefined, space);
        expect(JSON.parse(edited(text, values))).toEqual(JSON.parse(JSON.stringify({ ...entry, ...values })));
      },
    ),
  );
});
