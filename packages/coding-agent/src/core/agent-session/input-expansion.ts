import { readFileSync } from "node:fs";
import type { PromptResources } from "../agent-session-services.js";
import { expandSkillCommand } from "../resources/skill-command.js";

/** `/skill:name` becomes the text of the skill; a name that is unknown stays as it is. */
export function expandInput(text: string, { skills }: Pick<PromptResources, "skills">): string {
  if (!text.startsWith("/")) return text;
  return expandSkillCommand(text, skills, (path) => readFileSync(path, "utf8")).text;
}
