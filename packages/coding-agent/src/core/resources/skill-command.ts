/** `/skill:name args`, as a prompt and back. Pure. Source: extensions.md section 9.2. */
import { parseFrontmatter } from "./frontmatter.js";
import type { Skill } from "./skill-file.js";

export interface SkillExpansion {
  /** What goes to the model: unchanged when there is no such skill or it could not be read. */
  text: string;
  /** Why a skill could not be read. */
  error?: { filePath: string; message: string };
}

/** A prompt that came from a skill, for display. */
export interface ParsedSkillBlock {
  name: string;
  location: string;
  /** What stands between the tags. */
  content: string;
  /** What the user added. */
  userMessage: string | undefined;
}

const COMMAND = /^\/skill:(\S+)(?:\s+([\s\S]*))?$/;
const BLOCK = /^<skill name="([^"\n]*)" location="([^"\n]*)">\n([\s\S]*?)\n<\/skill>(?:\n\n([\s\S]+))?$/;

/**
 * Puts a skill's text in the place of `/skill:name`.
 *
 * @param readFile may throw
 */
export function expandSkillCommand(
  text: string,
  skills: readonly Skill[],
  readFile: (path: string) => string,
): SkillExpansion {
  const [, name, args = ""] = COMMAND.exec(text) ?? [];
  const skill = skills.find((candidate) => candidate.name === name);
  if (!skill) return { text };
  const { filePath, baseDir } = skill;
  try {
    const body = parseFrontmatter(readFile(filePath)).body.trim();
    const block = `<skill name="${skill.name}" location="${filePath}">\nReferences are relative to ${baseDir}.\n\n${body}\n</skill>`;
    return { text: args.trim() === "" ? block : `${block}\n\n${args.trim()}` };
  } catch (error) {
    return { text, error: { filePath, message: error instanceof Error ? error.message : String(error) } };
  }
}

/** The parts of an expanded `/skill:name`; null for any other text. */
export function parseSkillBlock(text: string): ParsedSkillBlock | null {
  const [block, name, location, content, userMessage] = BLOCK.exec(text) ?? [];
  if (block === undefined || name === undefined || location === undefined || content === undefined) return null;
  return { name, location, content, userMessage };
}
