/** One skill: a Markdown file with a name and a description. Pure. Source: extensions.md section 9.2. */
import { basename, dirname } from "node:path";
import { parseFrontmatter } from "./frontmatter.js";
import type { ResourceDiagnostic, SourceInfo } from "./resource-types.js";

export interface Skill {
  name: string;
  description: string;
  /** Absolute. */
  filePath: string;
  /** What relative paths in the text start from. */
  baseDir: string;
  sourceInfo: SourceInfo;
  /** Only the user may call it: the model is not told of it. */
  disableModelInvocation: boolean;
}

/** What the head of a skill may say; other fields are kept and not used. */
export interface SkillFrontmatter {
  name?: string;
  description?: string;
  "disable-model-invocation"?: boolean;
  [key: string]: unknown;
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/**
 * Reads a skill from its text. What only looks wrong is a warning; a skill without a description is none.
 *
 * @param isLoose a file that is no `SKILL.md` and was not named by anybody: it may be any document
 */
export function parseSkill(
  text: string,
  filePath: string,
  sourceInfo: SourceInfo,
  isLoose: boolean,
): { skill?: Skill; diagnostics: ResourceDiagnostic[] } {
  const baseDir = dirname(filePath);
  const warning = (message: string): ResourceDiagnostic => ({ type: "warning", message, path: filePath });
  let fields: Record<string, unknown>;
  try {
    fields = parseFrontmatter(text).frontmatter;
  } catch (error) {
    return { diagnostics: isLoose ? [] : [warning(error instanceof Error ? error.message : String(error))] };
  }
  const description = textOf(fields["description"]);
  if (description.trim() === "") return { diagnostics: isLoose ? [] : [warning("description is required")] };
  const name = textOf(fields["name"]) || basename(baseDir);
  const messages = nameProblems(name);
  if (description.length > MAX_DESCRIPTION) {
    messages.push(`description exceeds ${MAX_DESCRIPTION} characters (${description.length})`);
  }
  const disableModelInvocation = fields["disable-model-invocation"] === true;
  return {
    skill: { name, description, filePath, baseDir, sourceInfo, disableModelInvocation },
    diagnostics: messages.map(warning),
  };
}

/** Numbers and the like are texts that somebody forgot to quote. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function nameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > MAX_NAME) problems.push(`name exceeds ${MAX_NAME} characters (${name.length})`);
  if (!/^[a-z0-9-]+$/.test(name)) {
    problems.push("name contains invalid characters (must be lowercase a-z, 0-9, hyphens only)");
  }
  if (name.startsWith("-") || name.endsWith("-")) problems.push("name must not start or end with a hyphen");
  if (name.includes("--")) problems.push("name must not contain consecutive hyphens");
  return problems;
}
