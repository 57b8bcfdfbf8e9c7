import { readFileSync } from "node:fs";
import { expandPromptTemplate } from "../resources/prompt-templates.js";
import type { PromptTemplate } from "../resources/resource-types.js";
import { expandSkillCommand } from "../resources/skill-command.js";
import type { Skill } from "../resources/skill-file.js";

/** `/skill:name` and `/template` become their texts; a name that is unknown stays as it is. */
export function expandInput(text: string, skills: readonly Skill[], prompts: readonly PromptTemplate[]): string {
  if (!text.startsWith("/")) return text;
  const expanded = expandSkillCommand(text, skills, (path) => readFileSync(path, "utf8")).text;
  return expanded === text ? expandPromptTemplate(text, prompts) : expanded;
}
