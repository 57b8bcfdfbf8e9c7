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
  ['{"parentId":1,"parentId":2.0}', { parentId: "c" }, '{"parentId":1,"parentId":"c"}'],
  ['{"type":"x"}', { id: "a", parentId: null }, '{"id":"a","parentId":null,"type":"x"}'],
  ["{}", { id: "a" }, '{"id":"a"}'],
  [
    '{"message":{"role":"hookMessage","n":1.50}}',
    { message: (bytes: Buffer) => withMembers(bytes, { role: "custom" }) },
    '{"message":{"role":"custom","n":1.50}}',
  ],
  ['{"\\u0069d":"a","n":1.0}', { id: "b" }, '{"\\u0069d":"b","n":1.0}'],
  ['{"id":1.0,"\\u0069d":2.0}', { id: "b" }, '{"id":1.0,"\\u0069d":"b"}'],
  ['{"a":1e2 , "x":1.0,"b":2.0}', { x: undefined }, '{"a":1e2,"b":2.0}'],
  ['{ "x":1, "a":1e2}', { x: undefined }, '{ "a":1e2}'],
  ['{"a":1e2,"x":1}', { x: undefined, id: "b" }, '{"id":"b","a":1e2}'],
  ['{"x":1,"a":1.0,"x":2 }', { x: undefined }, '{"a":1.0 }'],
  ['{"x":1,"\\u0078":2}', { x: undefined }, "{}"],
  ['{"x":1}', { x: undefined, id: "b" }, '{"id":"b"}'],
  ["{}", { x: undefined }, "{}"],
  [
    '{"message":null,"message":{"role":"hookMessage"},"n":1.0}',
    { message: (bytes: Buffer) => withMembers(bytes, { role: "custom" }) },
    '{"message":null,"message":{"role":"custom"},"n":1.0}',
  ],
  ['{"a":{"id":"inner"},"id":"outer"}', { id: "new" }, '{"a":{"id":"inner"},"id":"new"}'],
])("%s with other members", (line, values, expected) => {
  expect(edited(line, values)).toBe(expected);
});

/** JSON of an object: names may come twice, and be written with escapes; spaces as somebody may have put them. */
const text = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom("id", "parentId", "type", "__proto__"), fc.string()),
      fc.boolean(),
      fc.jsonValue(),
      fc.constantFrom("", " ", "\t"),
    ),
  )
  .map((members) => {
    const escaped = (name: string) =>
      `"\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${JSON.stringify(name.slice(1)).slice(1)}`;
    const texts = members.map(([name, isEscaped, value, space]) => {
      const quoted = isEscaped && name !== "" ? escaped(name) : JSON.stringify(name);
      return `${space}${quoted}${space}:${space}${JSON.stringify(value)}${space}`;
    });
    return `{${texts.join(",")}}`;
  });

it("says what a parser would have made of it", () => {
  const changes = fc.dictionary(
    fc.constantFrom("id", "parentId", "label"),
    fc.option(fc.jsonValue(), { nil: undefined }),
  );
  fc.assert(
    fc.property(text, changes, (line, values) => {
      const expected = JSON.parse(line);
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) delete expected[name];
        else expected[name] = value;
      }
      expect(JSON.parse(edited(line, values))).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
  );
});

it("changes nothing where nothing is to be changed", () => {
  fc.assert(
    fc.property(text, (line) => {
      expect(edited(line, {})).toBe(line);
    }),
  );
});
