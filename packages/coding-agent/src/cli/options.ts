/** Every command line option, once: parsing and help text derive from this table. Source: cli-and-config.md §1.3. */
import { thinkingLevels } from "../core/models/thinking-levels.js";

export type OptionKind =
  /** No value. */
  | "flag"
  /** Takes the next word, whatever it is. */
  | "value"
  /** Takes the next word unless it begins with `-`. */
  | "word"
  /** As `value`; repeatable. */
  | "values"
  /** As `value`; a comma-separated list. */
  | "list"
  /** Takes the next word unless it begins with `-` or `@`; `true` without one. */
  | "optional";

export interface OptionSpec {
  /** Long name with dashes. */
  long: string;
  /** Further spellings. */
  aliases?: readonly string[];
  kind: OptionKind;
  /** Key in `Args`. */
  key: string;
  /** Value name in the help text. */
  placeholder?: string;
  /** All values there are. */
  values?: readonly string[];
  /** What its value names, for completion. */
  names?: "file" | "folder" | "model" | "provider";
  description: string;
  /** Known, and refused until its part of the program is there. */
  isPlanned?: true;
}

export const optionSpecs: readonly OptionSpec[] = [
  {
    long: "--mode",
    kind: "word",
    key: "mode",
    placeholder: "text|json|rpc",
    values: ["text", "json", "rpc"],
    description: "Output interface",
  },
  { long: "--print", aliases: ["-p"], kind: "flag", key: "print", description: "Answer once and exit" },
  {
    long: "--provider",
    kind: "value",
    key: "provider",
    placeholder: "name",
    names: "provider",
    description: "Look --model up in this provider only",
  },
  {
    long: "--model",
    kind: "value",
    key: "model",
    placeholder: "pattern",
    names: "model",
    description: "Model: id, provider/id, or part of a name; :<thinking> may follow",
  },
  {
    long: "--models",
    kind: "list",
    key: "models",
    placeholder: "list",
    description: "Models to start with and cycle through",
  },
  {
    long: "--api-key",
    kind: "value",
    key: "apiKey",
    placeholder: "key",
    description: "Key for the chosen model's provider, for this run",
  },
  {
    long: "--thinking",
    kind: "value",
    key: "thinking",
    placeholder: "level",
    values: thinkingLevels,
    description: thinkingLevels.join(", "),
  },
  {
    long: "--system-prompt",
    kind: "value",
    key: "systemPrompt",
    placeholder: "text|file",
    names: "file",
    description: "Replace the base prompt",
  },
  {
    long: "--append-system-prompt",
    kind: "values",
    key: "appendSystemPrompt",
    placeholder: "text|file",
    names: "file",
    description: "Add to the prompt; repeatable",
  },
  { long: "--continue", aliases: ["-c"], kind: "flag", key: "continue", description: "Go on with the newest session" },
  {
    long: "--resume",
    aliases: ["-r"],
    kind: "flag",
    key: "resume",
    description: "Pick a session to go on with",
  },
  {
    long: "--session",
    kind: "value",
    key: "session",
    placeholder: "path|id",
    names: "file",
    description: "Open this session",
  },
  {
    long: "--session-id",
    kind: "value",
    key: "sessionId",
    placeholder: "id",
    description: "Open the session with this id, or create it",
  },
  {
    long: "--fork",
    kind: "value",
    key: "fork",
    placeholder: "path|id",
    names: "file",
    description: "Copy a session and go on there",
  },
  {
    long: "--session-dir",
    kind: "value",
    key: "sessionDir",
    placeholder: "dir",
    names: "folder",
    description: "Where sessions are kept and looked up",
  },
  { long: "--no-session", kind: "flag", key: "noSession", description: "Keep the session in memory" },
  { long: "--name", aliases: ["-n"], kind: "value", key: "name", placeholder: "text", description: "Name the session" },
  {
    long: "--tools",
    aliases: ["-t"],
    kind: "list",
    key: "tools",
    placeholder: "list",
    description: "Only these tools, or +name/-name changes of the defaults",
  },
  {
    long: "--exclude-tools",
    aliases: ["-xt"],
    kind: "list",
    key: "excludeTools",
    placeholder: "list",
    description: "Never these tools",
  },
  {
    long: "--no-builtin-tools",
    aliases: ["-nbt"],
    kind: "flag",
    key: "noBuiltinTools",
    description: "Without the built-in tools",
  },
  { long: "--no-tools", aliases: ["-nt"], kind: "flag", key: "noTools", description: "Without any tool" },
  {
    long: "--extension",
    aliases: ["-e"],
    kind: "values",
    key: "extensions",
    placeholder: "path",
    names: "file",
    description: "Load an extension; repeatable",
  },
  {
    long: "--no-extensions",
    aliases: ["-ne"],
    kind: "flag",
    key: "noExtensions",
    description: "Only extensions given with -e",
  },
  { long: "--no-mcp", kind: "flag", key: "noMcp", description: "Without MCP servers" },
  {
    long: "--skill",
    kind: "values",
    key: "skills",
    placeholder: "path",
    names: "file",
    description: "Load a skill file or a folder of skills; repeatable",
  },
  {
    long: "--prompt-template",
    kind: "values",
    key: "promptTemplates",
    placeholder: "path",
    names: "file",
    description: "Load a prompt template; repeatable",
  },
  {
    long: "--theme",
    kind: "values",
    key: "themes",
    placeholder: "path",
    names: "file",
    description: "Load a theme; repeatable",
  },
  {
    long: "--no-skills",
    aliases: ["-ns"],
    kind: "flag",
    key: "noSkills",
    description: "Only skills given with --skill",
  },
  {
    long: "--no-prompt-templates",
    aliases: ["-np"],
    kind: "flag",
    key: "noPromptTemplates",
    description: "Only templates given with --prompt-template",
  },
  { long: "--no-themes", kind: "flag", key: "noThemes", description: "Only themes given with --theme" },
  {
    long: "--use-theme",
    kind: "word",
    key: "useTheme",
    placeholder: "name",
    description: "Theme for this run, or a light/dark pair",
  },
  {
    long: "--no-context-files",
    aliases: ["-nc"],
    kind: "flag",
    key: "noContextFiles",
    description: "Without AGENTS.md and CLAUDE.md",
  },
  {
    long: "--export",
    kind: "value",
    key: "export",
    placeholder: "file",
    names: "file",
    description: "Write a session file as HTML, to the file that the first message names, and exit",
  },
  {
    long: "--list-models",
    kind: "optional",
    key: "listModels",
    placeholder: "search",
    description: "List the models that can be used",
  },
  { long: "--verbose", kind: "flag", key: "verbose", description: "Show everything at the start" },
  {
    long: "--tui-mode",
    kind: "word",
    key: "tuiMode",
    placeholder: "fullscreen|regular",
    values: ["regular", "fullscreen"],
    description: "How the terminal is used",
  },
  {
    long: "--approve",
    aliases: ["-a", "--trust"],
    kind: "flag",
    key: "approve",
    description: "Trust the project, this time",
  },
  {
    long: "--no-approve",
    aliases: ["-na", "--no-trust"],
    kind: "flag",
    key: "noApprove",
    description: "Do not trust the project, this time",
  },
  { long: "--offline", kind: "flag", key: "offline", description: "No network but the model's" },
  {
    long: "--completion",
    kind: "word",
    key: "completion",
    placeholder: "bash|zsh|fish",
    values: ["bash", "zsh", "fish"],
    description: "Print what completes this command line in your shell",
  },
  {
    long: "--new-extension",
    kind: "word",
    key: "newExtension",
    placeholder: "folder",
    description: "Make an extension to start from, with a test, and exit",
  },
  { long: "--help", aliases: ["-h"], kind: "flag", key: "help", description: "Show this help" },
  { long: "--version", aliases: ["-v"], kind: "flag", key: "version", description: "Show the version" },
];

const byWord = new Map<string, OptionSpec>(
  optionSpecs.flatMap((spec) => [spec.long, ...(spec.aliases ?? [])].map((word) => [word, spec] as const)),
);

/** The option that a word names. */
export function findOption(word: string): OptionSpec | undefined {
  return byWord.get(word);
}

/** Every spelling of every option. */
export function allOptionWords(): string[] {
  return [...byWord.keys()];
}

/** `-t, --tools <list>`: as help shows an option. */
export function optionUsage({ long, aliases = [], placeholder }: OptionSpec): string {
  const names = [...aliases.filter((alias) => !alias.startsWith("--")), long].join(", ");
  return placeholder ? `${names} <${placeholder}>` : names;
}
