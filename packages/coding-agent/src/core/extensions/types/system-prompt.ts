/** What the system prompt is made of, as extensions see and change it. Source: extensions.md section 6. */
import type { Skill } from "../../resources/skill-file.js";

export interface NormalizedBuildSystemPromptOptions {
  /** Takes the place of the built-in preamble, tools, rules and documents. */
  customPrompt?: string | undefined;
  /** The whole prompt; nothing is added to it. */
  forceSystemPrompt?: string | undefined;
  /** Tools the model is told about. Left alone, the active tools count. */
  selectedTools: string[];
  /** Active, but not mentioned in the prompt. */
  hiddenTools: string[];
  /** One line by tool. */
  toolSnippets: Record<string, string>;
  /** Rules by tool. */
  toolGuidelines: Record<string, string[]>;
  /** Rules of no tool in particular. */
  promptGuidelines: string[];
  appendSystemPrompt: string;
  /** Further sections by name. */
  sections: Record<string, string>;
  cwd: string;
  contextFiles: { path: string; content: string }[];
  skills: Skill[];
}

export type BuildSystemPromptOptions = Partial<NormalizedBuildSystemPromptOptions> &
  Pick<NormalizedBuildSystemPromptOptions, "cwd">;
