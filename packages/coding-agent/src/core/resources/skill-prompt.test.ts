import { describe, expect, it } from "vitest";
import type { Skill } from "./skill-file.js";
import { formatSkillsForPrompt } from "./skill-prompt.js";

const skill = (name: string, description: string, disableModelInvocation = false): Skill => ({
  name,
  description,
  filePath: `/s/${name}/SKILL.md`,
  baseDir: `/s/${name}`,
  sourceInfo: { path: `/s/${name}/SKILL.md`, source: "auto", scope: "user", origin: "top-level" },
  disableModelInvocation,
});

describe("formatSkillsForPrompt", () => {
  it("lists what the model may call, escaped", () => {
    const text = formatSkillsForPrompt([skill("a", `<b> & "c" 'd'`), skill("hidden", "x", true)]);
    expect(text.slice(text.indexOf("\n\n") + 2)).toBe(
      [
        "<available_skills>",
        "  <skill>",
        "    <name>a</name>",
        "    <description>&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;</description>",
        "    <location>/s/a/SKILL.md</location>",
        "  </skill>",
        "</available_skills>",
      ].join("\n"),
    );
  });

  it.each([
    [undefined, "with the read tool"],
    ["bash" as const, "with the bash tool"],
    ["indirect" as const, "read its file before"],
  ])("says how to load one: %s", (tool, words) => {
    expect(formatSkillsForPrompt([skill("a", "d")], tool)).toContain(words);
  });

  it("is empty when there is none to call", () => {
    expect(formatSkillsForPrompt([])).toBe("");
    expect(formatSkillsForPrompt([skill("a", "d", true)])).toBe("");
  });
});
