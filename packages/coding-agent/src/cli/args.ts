/** Words of the command line to options and messages. Pure. Source: cli-and-config.md sections 1.2-1.4. */
import type { ModelThinkingLevel } from "@earendil-works/pi-ai";
import { oneLine } from "../core/without-controls.js";
import { badValueAdvice, missingValueAdvice, shortOptionAdvice } from "./option-advice.js";
import { findOption, type OptionSpec } from "./options.js";

export interface ArgsDiagnostic {
  type: "error" | "warning";
  message: string;
}

/** The parsed command line; options that were not given are absent. */
export interface Args {
  messages: string[];
  /** `@path` words without the `@`. */
  fileArgs: string[];
  /** Options nobody knows yet: extensions may. */
  unknownFlags: Map<string, boolean | string>;
  diagnostics: ArgsDiagnostic[];
  mode?: "text" | "json" | "rpc";
  print?: boolean;
  provider?: string;
  model?: string;
  models?: string[];
  apiKey?: string;
  thinking?: ModelThinkingLevel;
  systemPrompt?: string;
  appendSystemPrompt?: string[];
  continue?: boolean;
  resume?: boolean;
  session?: string;
  sessionId?: string;
  fork?: string;
  sessionDir?: string;
  noSession?: boolean;
  name?: string;
  tools?: string[];
  excludeTools?: string[];
  noBuiltinTools?: boolean;
  noTools?: boolean;
  extensions?: string[];
  noExtensions?: boolean;
  noMcp?: boolean;
  skills?: string[];
  promptTemplates?: string[];
  themes?: string[];
  noSkills?: boolean;
  noPromptTemplates?: boolean;
  noThemes?: boolean;
  useTheme?: string;
  noContextFiles?: boolean;
  export?: string;
  newExtension?: string;
  listModels?: string | true;
  verbose?: boolean;
  tuiMode?: "fullscreen" | "regular";
  completion?: "bash" | "zsh" | "fish";
  /** Trust given or refused for this process. */
  projectTrustOverride?: boolean;
  offline?: boolean;
  help?: boolean;
  version?: boolean;
}

/** Options with a text of their own when the value is missing; others become unknown options then. */
const missingValueTexts: Readonly<Record<string, string>> = {
  mode: "--mode requires text, json, or rpc",
  name: "--name requires a value",
  tuiMode: "--tui-mode requires regular or fullscreen",
  useTheme: "--use-theme requires a theme name",
};

/** Reads argv (without node and script). Never throws: problems are diagnostics. */
export function parseArgs(argv: readonly string[]): Args {
  return parseCommandLine(argv).args;
}

export interface CommandLine {
  args: Args;
  /** For each of the diagnostics: what to do, as one more line. */
  advice: readonly string[];
}

/** As `parseArgs`, with what helps against each problem. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const parser = new Parser(argv);
  return { args: parser.parse(), advice: parser.advice };
}

class Parser {
  readonly #words: readonly string[];
  #at = 0;
  readonly advice: string[] = [];
  readonly #args: Args = { messages: [], fileArgs: [], unknownFlags: new Map(), diagnostics: [] };
  /** Values by option key, before they are checked. */
  readonly #values = this.#args as unknown as Record<string, unknown>;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  parse(): Args {
    while (this.#at < this.#words.length) {
      const word = this.#words[this.#at++] ?? "";
      if (word === "--") {
        for (const rest of this.#words.slice(this.#at)) this.#plainWord(rest);
        break;
      }
      const spec = findOption(word);
      if (spec) this.#option(word, spec);
      else if (word.startsWith("--") && word.length > 2) this.#unknownOption(word);
      else if (word.startsWith("-") && word.length > 1) this.#error(`Unknown option: ${word}`, shortOptionAdvice(word));
      else this.#plainWord(word);
    }
    return this.#args;
  }

  #plainWord(word: string): void {
    if (word.startsWith("@") && word.length > 1) this.#args.fileArgs.push(word.slice(1));
    else this.#args.messages.push(word);
  }

  #option(word: string, spec: OptionSpec): void {
    const next = this.#words[this.#at];
    switch (spec.kind) {
      case "flag":
        this.#flag(spec.key, next);
        return;
      case "optional":
        this.#values[spec.key] = next !== undefined && !/^[-@]/.test(next) ? this.#take() : true;
        return;
      case "word":
        if (next === undefined || next.startsWith("-")) {
          this.#error(missingValueTexts[spec.key] ?? `${word} requires a value`, missingValueAdvice(spec));
          return;
        }
        this.#value(word, spec, this.#take());
        return;
      case "value":
      case "values":
      case "list":
        if (next === undefined) {
          const text = missingValueTexts[spec.key];
          if (text) this.#error(text, missingValueAdvice(spec));
          else if (word.startsWith("--")) this.#args.unknownFlags.set(word.slice(2), true);
          else this.#error(`Unknown option: ${word}`, missingValueAdvice(spec));
          return;
        }
        this.#value(word, spec, this.#take());
    }
  }

  #flag(key: string, next: string | undefined): void {
    if (key === "approve" || key === "noApprove") {
      this.#args.projectTrustOverride = key === "approve";
      return;
    }
    this.#values[key] = true;
    // `-p "text"`: the next word is the message, also one that begins with three dashes (a diff, a front matter).
    const isMessage = next !== undefined && (next.startsWith("---") || !/^[-@]/.test(next));
    if (key === "print" && isMessage) this.#args.messages.push(this.#take());
  }

  #value(word: string, spec: OptionSpec, value: string): void {
    switch (spec.key) {
      case "mode":
        this.#oneOf("mode", value, spec);
        return;
      case "tuiMode":
        this.#oneOf("TUI mode", value, spec);
        return;
      case "completion":
        this.#oneOf("shell", value, spec);
        return;
      case "thinking":
        this.#oneOf("thinking level", value, spec, "warning");
        return;
      case "name":
        if (oneLine(value) === "") this.#error("--name requires a non-empty value", missingValueAdvice(spec));
        else this.#args.name = value;
        return;
      case "tools":
        this.#args.tools = splitList(value);
        this.#checkTools(word, this.#args.tools);
        return;
    }
    if (spec.kind === "values") {
      this.#values[spec.key] = [...((this.#values[spec.key] as string[] | undefined) ?? []), value];
    } else {
      this.#values[spec.key] = spec.kind === "list" ? splitList(value) : value;
    }
  }

  #oneOf(what: string, value: string, spec: OptionSpec, type: ArgsDiagnostic["type"] = "error"): void {
    const { values = [] } = spec;
    if (values.includes(value)) {
      this.#values[spec.key] = value;
      return;
    }
    const message = `Invalid ${what} "${value}". Valid values: ${values.join(", ")}`;
    this.#tell({ type, message }, badValueAdvice(value, spec, type));
  }

  #checkTools(word: string, tools: readonly string[]): void {
    const changes = tools.filter((tool) => /^[+-]/.test(tool));
    if (changes.length > 0 && changes.length < tools.length) {
      this.#error(`${word}: tool names cannot be mixed with +name or -name entries`, toolsAdvice(word));
      return;
    }
    const pattern = changes.find((tool) => tool.includes("*"));
    if (pattern) {
      const message = `${word}: +name and -name entries take exact tool names, not patterns: ${pattern}`;
      this.#error(message, toolsAdvice(word));
    }
  }

  #unknownOption(word: string): void {
    const equals = word.indexOf("=");
    if (equals > 0) {
      this.#args.unknownFlags.set(word.slice(2, equals), word.slice(equals + 1));
      return;
    }
    const next = this.#words[this.#at];
    const takesNext = next !== undefined && !/^[-@]/.test(next);
    this.#args.unknownFlags.set(word.slice(2), takesNext ? this.#take() : true);
  }

  #take(): string {
    return this.#words[this.#at++] ?? "";
  }

  #error(message: string, advice: string): void {
    this.#tell({ type: "error", message }, advice);
  }

  #tell(diagnostic: ArgsDiagnostic, advice: string): void {
    this.#args.diagnostics.push(diagnostic);
    this.advice.push(advice);
  }
}

function toolsAdvice(word: string): string {
  return `Write either the tools there shall be, or changes of the usual ones: ${word} read,grep or ${word} +grep,-bash`;
}

function splitList(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
