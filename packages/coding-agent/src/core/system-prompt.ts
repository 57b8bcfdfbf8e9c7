/** The system prompt, built from named sections. Pure. Source: agent-and-tools.md section D. */
import type { ProductDocs } from "./resources/product-docs.js";
import type { Skill } from "./resources/skill-file.js";
import { formatSkillsForPrompt } from "./resources/skill-prompt.js";

export interface SystemPromptTool {
  name: string;
  promptSnippet?: string | undefined;
  promptGuidelines?: readonly string[] | undefined;
}

export interface SystemPromptOptions {
  cwd: string;
  /** Active tools, in their order. */
  tools: readonly SystemPromptTool[];
  /** Replaces preamble, tools, rules and docs. */
  customPrompt?: string | undefined;
  appendSystemPrompt?: readonly string[] | undefined;
  contextFiles?: readonly { path: string; content: string }[] | undefined;
  /** Shown when a tool is active that can read them. */
  skills?: readonly Skill[] | undefined;
  /** Where the product's own documents are. */
  docs?: ProductDocs | undefined;
  /** Guidelines of no tool in particular. */
  promptGuidelines?: readonly string[] | undefined;
  /** Sections of extensions, by name; one with the name of ours replaces it. */
  sections?: Readonly<Record<string, string>> | undefined;
}

const SECTION_NAME = /^[a-z][a-z0-9_-]*$/;

const preamble =
  "You are pi, a coding agent. You work in the user's project through tools that read, search, change and run code. " +
  "Look before you change, keep changes to what was asked, and check your work by running it.";

/**
 * Sections in order; what is empty is left out. The values carry their own tags, except the preamble.
 *
 * @throws Error `Invalid system prompt section name: <name>`
 */
export function buildSystemPromptSections(options: SystemPromptOptions): Record<string, string> {
  const { cwd, tools, customPrompt, appendSystemPrompt = [], contextFiles = [], docs, promptGuidelines = [] } = options;
  const bodies: Record<string, string> = customPrompt
    ? {}
    : {
        tools: toolsText(tools),
        rules: rulesText(tools, promptGuidelines),
        docs: docs ? docsText(docs) : "",
      };
  bodies["addendum"] = appendSystemPrompt.join("\n\n");
  bodies["project_context"] = contextText(contextFiles);
  bodies["skills"] = skillsText(tools, options.skills ?? []);
  bodies["cwd"] = cwd.replaceAll("\\", "/");
  for (const [name, body] of Object.entries(options.sections ?? {})) {
    if (!SECTION_NAME.test(name) || name === "preamble") throw new Error(`Invalid system prompt section name: ${name}`);
    bodies[name] = body;
  }
  const sections: Record<string, string> = { preamble: customPrompt || preamble };
  for (const [name, body] of Object.entries(bodies)) {
    if (body) sections[name] = `<${name}>\n${body}\n</${name}>`;
  }
  return sections;
}

function toolsText(tools: readonly SystemPromptTool[]): string {
  const listed = tools.filter((tool) => tool.promptSnippet);
  const lines = listed.map((tool) => `- ${tool.name}: ${oneLine(tool.promptSnippet ?? "")}`);
  return `${lines.length > 0 ? lines.join("\n") : "(none)"}\n\nThere may be more tools than these; each describes itself.`;
}

function rulesText(tools: readonly SystemPromptTool[], guidelines: readonly string[]): string {
  const active = new Set(tools.map((tool) => tool.name));
  const rules: string[] = [];
  if ((active.has("bash") || active.has("powershell")) && !["grep", "find", "ls"].some((name) => active.has(name))) {
    rules.push(`List and search files with ${active.has("bash") ? "bash (ls, rg, find)" : "powershell"}.`);
  }
  for (const tool of tools) rules.push(...(tool.promptGuidelines ?? []));
  rules.push(...guidelines);
  rules.push("Keep answers short and to the point.", "Name files by their paths.");
  return [...new Set(rules.map((rule) => rule.trim()).filter((rule) => rule !== ""))]
    .map((rule) => `- ${rule}`)
    .join("\n");
}

function docsText({ readme, docs, examples }: ProductDocs): string {
  const places = [
    ...(readme ? [`- Overview: ${readme}`] : []),
    ...(docs ? [`- Guides: ${docs}`] : []),
    ...(examples ? [`- Examples: ${examples}`] : []),
  ];
  if (places.length === 0) return "";
  return [
    "Documentation of pi itself. Read it only when the user asks about pi, its extensions, settings or SDK:",
    ...places,
  ].join("\n");
}

function contextText(files: readonly { path: string; content: string }[]): string {
  if (files.length === 0) return "";
  const blocks = files.map(
    ({ path, content }) => `<project_instructions path="${path}">\n${content}\n</project_instructions>`,
  );
  return ["Instructions of this project and its user:", ...blocks].join("\n\n");
}

function skillsText(tools: readonly SystemPromptTool[], skills: readonly Skill[]): string {
  const way = (["read", "bash"] as const).find((name) => tools.some((tool) => tool.name === name));
  return way ? formatSkillsForPrompt(skills, way) : "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
