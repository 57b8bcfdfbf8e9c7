/** The system prompt, built from named sections. Pure. Source: agent-and-tools.md section D. */

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
  /** Where the product's own documents are. */
  docs?: { readme: string; docs: string; examples: string } | undefined;
}

const preamble =
  "You are pi, a coding agent. You work in the user's project through tools that read, search, change and run code. " +
  "Look before you change, keep changes to what was asked, and check your work by running it.";

/** Sections in order; what is empty is left out. The values carry their own tags, except the preamble. */
export function buildSystemPromptSections(options: SystemPromptOptions): Record<string, string> {
  const { cwd, tools, customPrompt, appendSystemPrompt = [], contextFiles = [], docs } = options;
  const bodies: Record<string, string> = customPrompt
    ? {}
    : {
        tools: toolsText(tools),
        rules: rulesText(tools),
        docs: docs ? docsText(docs) : "",
      };
  bodies["addendum"] = appendSystemPrompt.join("\n\n");
  bodies["project_context"] = contextText(contextFiles);
  bodies["cwd"] = cwd.replaceAll("\\", "/");
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

function rulesText(tools: readonly SystemPromptTool[]): string {
  const active = new Set(tools.map((tool) => tool.name));
  const rules: string[] = [];
  if (active.has("bash") && !["grep", "find", "ls"].some((name) => active.has(name))) {
    rules.push("List and search files with bash (ls, rg, find).");
  }
  for (const tool of tools) rules.push(...(tool.promptGuidelines ?? []).map((rule) => rule.trim()));
  rules.push("Keep answers short and to the point.", "Name files by their paths.");
  return [...new Set(rules.filter((rule) => rule !== ""))].map((rule) => `- ${rule}`).join("\n");
}

function docsText({ readme, docs, examples }: NonNullable<SystemPromptOptions["docs"]>): string {
  return (
    "Documentation of pi itself. Read it only when the user asks about pi, its extensions, settings or SDK:\n" +
    `- Overview: ${readme}\n- Guides: ${docs}\n- Examples: ${examples}`
  );
}

function contextText(files: readonly { path: string; content: string }[]): string {
  if (files.length === 0) return "";
  const blocks = files.map(
    ({ path, content }) => `<project_instructions path="${path}">\n${content}\n</project_instructions>`,
  );
  return ["Instructions of this project and its user:", ...blocks].join("\n\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
