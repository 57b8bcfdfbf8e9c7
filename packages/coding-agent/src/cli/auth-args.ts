/** Words after `pi auth` to a command. Pure. Source: cli-and-config.md section 1.9. */
import { subcommandOptionAdvice } from "./subcommand-advice.js";
import { findSubcommand, findSubcommandOption, type Subcommand, subcommandHelp } from "./subcommands.js";
import { closest } from "./suggest.js";

export type AuthCommandName = "login" | "logout" | "print-api-key" | "print-bearer-token" | "check";

export interface AuthCommand {
  name: AuthCommandName;
  /** The word after `login` and `logout`. */
  target?: string;
  provider?: string;
  model?: string;
  json?: boolean;
  credentials?: boolean;
  noRefresh?: boolean;
  apiKey?: boolean;
  noBrowser?: boolean;
  /** In ms. */
  minExpiryMs?: number;
}

/** What to do, or what to say and with which exit code. */
export type ParsedAuthCommand = { command: AuthCommand } | { error: string; code: number } | { usage: string };

const auth = findSubcommand("auth");
const verbs = auth?.verbs ?? [];

export const authUsage = auth ? subcommandHelp(auth) : "";

export function parseAuthCommand(words: readonly string[]): ParsedAuthCommand {
  const [word, ...rest] = words;
  if (word === undefined || word === "help" || word === "--help" || word === "-h") return { usage: authUsage };
  const verb = verbs.find((candidate) => candidate.name === word);
  if (!verb) {
    const near = closest(
      word,
      verbs.map(({ name }) => name),
    );
    const error =
      `Error: Unknown auth command "${word}". Use "pi auth login", "pi auth logout", "pi auth print-api-key", ` +
      '"pi auth print-bearer-token", or "pi auth check".';
    return {
      error: `${error}\n${near === undefined ? "All of them: pi auth --help" : `Did you mean "pi auth ${near}"?`}`,
      code: 1,
    };
  }
  if (rest.includes("--help") || rest.includes("-h")) return { usage: subcommandHelp(verb) };
  return parseOptions({ name: verb.name as AuthCommandName }, verb, rest);
}

function parseOptions(command: AuthCommand, verb: Subcommand, words: readonly string[]): ParsedAuthCommand {
  const { name } = command;
  const fail = (error: string): ParsedAuthCommand => ({ error, code: name === "check" ? 2 : 1 });
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!word.startsWith("-")) {
      if (command.target !== undefined || verb.words === 0)
        return fail(`Unexpected argument ${word}.\nUsage: pi ${verb.usage}`);
      command.target = word;
      continue;
    }
    const option = findSubcommandOption(word, verb);
    if (!option) return unknownOption(word, verb);
    const value = option.placeholder ? words[++index] : undefined;
    if (option.placeholder && value === undefined) return fail(`Missing value for ${word}.\nUsage: pi ${verb.usage}`);
    const problem = set(command, word, value ?? "");
    if (problem !== undefined) return fail(problem);
  }
  if (name === "check" && command.provider === undefined && command.model === undefined) {
    return fail(`Error: Auth checks require --provider <provider> or --model <model>\nUsage: pi ${verb.usage}`);
  }
  return { command };
}

function unknownOption(word: string, verb: Subcommand): ParsedAuthCommand {
  const usage = `Usage: pi ${verb.usage}`;
  const owners = verbs.filter((other) => findSubcommandOption(word, other));
  // Scripts that read a secret try what `auth check` can do.
  if (owners.length === 1 && owners[0]?.name === "check" && verb.name.startsWith("print-")) {
    return { error: `${word} is only supported by auth check\n${usage}`, code: 1 };
  }
  const advice = subcommandOptionAdvice(word, verb) ?? usage;
  return { error: `Unknown option ${word} for "auth ${verb.name}".\n${advice}`, code: 1 };
}

function set(command: AuthCommand, option: string, value: string): string | undefined {
  switch (option) {
    case "--provider":
      command.provider = value;
      return undefined;
    case "--model":
      command.model = value;
      return undefined;
    case "--json":
      command.json = true;
      return undefined;
    case "--credentials":
      command.credentials = true;
      return undefined;
    case "--no-refresh":
      command.noRefresh = true;
      return undefined;
    case "--api-key":
      command.apiKey = true;
      return undefined;
    case "--no-browser":
      command.noBrowser = true;
      return undefined;
    default: {
      const ms = durationMs(value);
      if (ms === undefined)
        return "--min-expiry must use a duration such as 30m or 1h\nUnits: ms, s, m, h. For example: --min-expiry 30m";
      command.minExpiryMs = ms;
      return undefined;
    }
  }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `30s`, `30m`, `1h`. */
function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const unit = match?.[2] === undefined ? undefined : UNITS[match[2]];
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}
