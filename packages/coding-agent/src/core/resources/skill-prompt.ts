/** What the model is told of skills. Pure. Source: extensions.md section 9.2 (prompt block). */
import type { Skill } from "./skill-file.js";

/** How a model gets at a skill's file; `indirect` names no tool, for models that reach tools in other ways. */
export type SkillTool = "read" | "bash" | "indirect";

const WAYS: Readonly<Record<SkillTool, string>> = {
  read: "read its file with the read tool",
  bash: "print its file with the bash tool",
  indirect: "read its file",
};

/** The text of the prompt's section on skills; empty when the model may call none. */
export function formatSkillsForPrompt(skills: readonly Skill[], tool: SkillTool = "read"): string {
  const visible = skills.filter((skill) => !skill.disableModelInvocation);
  if (visible.length === 0) return "";
  return [
    `Skills are instructions for special tasks. When a task matches a description, ${WAYS[tool]} before you begin.`,
    "Relative paths in a skill start from the directory its file is in: use absolute paths with tools.",
    "",
    "<available_skills>",
    ...visible.flatMap(({ name, description, filePath }) => [
      "  <skill>",
      `    <name>${escapeXml(name)}</name>`,
      `    <description>${escapeXml(description)}</description>`,
      `    <location>${escapeXml(filePath)}</location>`,
      "  </skill>",
    ]),
    "</available_skills>",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
