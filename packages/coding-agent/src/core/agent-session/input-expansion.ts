import { readFileSync } from "node:fs";
import type { PromptResources } from "../agent-session-services.js";
import { expandPromptTemplate } from "../resources/prompt-templates.js";
import type { PromptTemplate } from "../resources/resource-types.js";
import { expandSkillCommand } from "../resources/skill-command.js";

/** What a line that begins with `/` can call for. */
export interface Expansions extends Pick<PromptResources, "skills"> {
  prompts: readonly PromptTemplate[];
}

/** `/skill:name` becomes the text of the skill, `/name` that of the template; a name that is unknown stays as it is. */
export function expandInput(text: string, { skills, prompts }: Expansions): string {
  if (!text.startsWith("/")) return text;
  const expanded = expandSkillCommand(text, skills, (path) => readFileSync(path, "utf8")).text;
  return expanded === text ? expandPromptTemplate(text, prompts) : expanded;
}
