import { parseSkillBlock } from "../../../core/resources/skill-command.js";

/** A prompt for a list: of one that brings a skill, the skill's name and what the user wrote. */
export function promptLine(text: string): string {
  const skill = parseSkillBlock(text);
  if (!skill) return text;
  return `[skill] ${skill.name}${skill.userMessage === undefined ? "" : `: ${skill.userMessage}`}`;
}
