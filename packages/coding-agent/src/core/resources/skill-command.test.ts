import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandSkillCommand, parseSkillBlock } from "./skill-command.js";
import type { Skill } from "./skill-file.js";

const skill: Skill = {
  name: "make-it",
  description: "d",
  filePath: "/s/make-it/SKILL.md",
  baseDir: "/s/make-it",
  sourceInfo: { path: "/s/make-it/SKILL.md", source: "auto", scope: "user", origin: "top-level" },
  disableModelInvocation: true,
};
const expand = (text: string, body = "---\ndescription: d\n---\n\nDo it.\n\n") =>
  expandSkillCommand(text, [skill], () => body);
const block =
  '<skill name="make-it" location="/s/make-it/SKILL.md">\nReferences are relative to /s/make-it.\n\nDo it.\n</skill>';

describe("expandSkillCommand", () => {
  it.each([
    ["/skill:make-it", block],
    ["/skill:make-it   ", block],
    ["/skill:make-it  now\n please ", `${block}\n\nnow\n please`],
    ["/skill:make-it\nnow", `${block}\n\nnow`],
    ["/skill:other x", "/skill:other x"],
    ["/skill:", "/skill:"],
    [" /skill:make-it", " /skill:make-it"],
    ["say /skill:make-it", "say /skill:make-it"],
  ])("%j", (text, expected) => {
    expect(expand(text)).toEqual({ text: expected });
  });

  it("leaves the text alone when the file cannot be read, and says why", () => {
    const fail = () => {
      throw new Error("gone");
    };
    expect(expandSkillCommand("/skill:make-it x", [skill], fail)).toEqual({
      text: "/skill:make-it x",
      error: { filePath: skill.filePath, message: "gone" },
    });
  });
});

describe("parseSkillBlock", () => {
  it("is null for other texts", () => {
    for (const text of ["", "hello", "<skill>", `x${block}`, `${block}x`, `${block}\nx`]) {
      expect(parseSkillBlock(text)).toBeNull();
    }
  });

  it("takes apart what was expanded", () => {
    const words = fc.string({ unit: fc.constantFrom("a", " ", "\n", "<", "skill", "/", ">", '"'), maxLength: 30 });
    const plain = words.filter((text) => !text.includes("</skill>"));
    fc.assert(
      fc.property(plain, words, (body, args) => {
        const { text } = expand(`/skill:make-it ${args}`, body);
        expect(parseSkillBlock(text)).toEqual({
          name: "make-it",
          location: "/s/make-it/SKILL.md",
          content: `References are relative to /s/make-it.\n\n${body.trim()}`,
          userMessage: args.trim() === "" ? undefined : args.trim(),
        });
      }),
      { numRuns: 300 },
    );
  });
});
