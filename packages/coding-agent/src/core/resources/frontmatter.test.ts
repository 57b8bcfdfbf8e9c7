import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseFrontmatter } from "./frontmatter.js";

describe("parseFrontmatter", () => {
  it.each([
    ["---\nname: a\n---\nbody\n", { name: "a" }, "body\n"],
    ["\ufeff---\r\nname: a\r\nd: b c\r\n---\r\nx\r\ny", { name: "a", d: "b c" }, "x\ny"],
    ["---\n---\nbody", {}, "body"],
    ["---\n# only words\n---", {}, ""],
    ["---\n- a\n---\nb", {}, "b"],
    ["no head\n---\na: b\n---\n", {}, "no head\n---\na: b\n---\n"],
    ["---\nname: never ends\n", {}, "---\nname: never ends\n"],
    ["--- \na: 'it'\nb: \"x: # y\"\n---  \nz", { a: "it", b: "x: # y" }, "z"],
    [
      "---\nflag: true\noff: false\nn: 12\nlist: [a, b]\n---\n",
      { flag: true, off: false, n: 12, list: ["a", "b"] },
      "",
    ],
    ["---\nd: >\n  one\n  two\nmetadata:\n  k: v\n---\n", { d: "one two\n", metadata: { k: "v" } }, ""],
    ["---\nurl: https://a.b/#c # a note\n---\n", { url: "https://a.b/#c" }, ""],
    ["---\na: yes\nb: True\nc: Null\n---\n", { a: "yes", b: true, c: null }, ""],
  ])("%j", (text, frontmatter, body) => {
    expect(parseFrontmatter(text)).toEqual({ frontmatter, body });
  });

  it.each(["---\na: b: c\n---\n", '---\na: "b\n---\n', "---\na: 1\na: 2\n---\n", "---\n\ta: b\n---\n"])(
    "leaves it to the parser to say what is wrong with %j",
    (text) => {
      expect(() => parseFrontmatter(text)).toThrow(/ at line \d/);
    },
  );

  it("agrees with the YAML parser on simple heads, which it reads without it", () => {
    const key = fc.stringMatching(/^[A-Za-z][a-z_-]{0,5}$/);
    const value = fc.string({
      unit: fc.constantFrom(..."abyn/:# \t'\"-,.?!&*[]{}|>%@`\\0é", "true", "null"),
      maxLength: 12,
    });
    const line = fc.tuple(key, fc.constantFrom("", "'", '"'), value).map(([k, q, v]) => `${k}: ${q}${v}${q}`);
    const parsed = (read: () => unknown) => {
      try {
        return read() ?? {};
      } catch {
        return "an error";
      }
    };
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const yaml = lines.join("\n");
        const wanted = parsed(() => parse(yaml, { logLevel: "error" }));
        const found = parsed(() => parseFrontmatter(`---\n${yaml}\n---\n`).frontmatter);
        expect(found).toEqual(wanted);
      }),
      { numRuns: 1000 },
    );
  });
});
