/** Words after `pi auth` to a command. Pure. Source: cli-and-config.md section 1.9. */

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
export type ParsedAuthCommand = { command: AuthCommand } | { error: string; code: number } | { usage: true };

const NAMES: readonly AuthCommandName[] = ["login", "logout", "print-api-key", "print-bearer-token", "check"];

const OPTIONS: Readonly<Record<string, { for: readonly AuthCommandName[]; value?: boolean }>> = {
  "--provider": { for: ["check", "print-api-key", "print-bearer-token"], value: true },
  "--model": { for: ["check", "print-api-key", "print-bearer-token"], value: true },
  "--json": { for: ["check"] },
  "--credentials": { for: ["check"] },
  "--no-refresh": { for: ["check"] },
  "--min-expiry": { for: ["print-bearer-token"], value: true },
  "--api-key": { for: ["login"] },
  "--no-browser": { for: ["login"] },
};

export const authUsage = `Usage:
  pi auth login <provider> [--api-key] [--no-browser]    Sign in, or store a key
  pi auth logout <provider>                              Forget what is stored
  pi auth check --provider <provider> | --model <model> [--json] [--credentials] [--no-refresh]
  pi auth print-api-key [--provider <provider> | --model <model>]
  pi auth print-bearer-token [--provider <provider> | --model <model>] [--min-expiry 30m]`;

export function parseAuthCommand(words: readonly string[]): ParsedAuthCommand {
  const [word, ...rest] = words;
  if (word === undefined || word === "help" || word === "--help" || word === "-h") return { usage: true };
  const name = NAMES.find((candidate) => candidate === word);
  if (!name) {
    const error =
      `Error: Unknown auth command "${word}". Use "pi auth login", "pi auth logout", "pi auth print-api-key", ` +
      '"pi auth print-bearer-token", or "pi auth check".';
    return { error, code: 1 };
  }
  if (rest.includes("--help") || rest.includes("-h")) return { usage: true };
  return parseOptions({ name }, rest);
}

function parseOptions(command: AuthCommand, words: readonly string[]): ParsedAuthCommand {
  const { name } = command;
  const fail = (error: string): ParsedAuthCommand => ({ error, code: name === "check" ? 2 : 1 });
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!word.startsWith("-")) {
      if ((name !== "login" && name !== "logout") || command.target !== undefined) {
        return fail(`Unexpected argument ${word}.`);
      }
      command.target = word;
      continue;
    }
    const option = Object.hasOwn(OPTIONS, word) ? OPTIONS[word] : undefined;
    if (!option?.for.includes(name)) {
      const ofCheck = option?.for.length === 1 && option.for[0] === "check" && name.startsWith("print-");
      if (ofCheck) return fail(`${word} is only supported by auth check`);
      return { error: `Unknown option ${word} for "auth ${name}".`, code: 1 };
    }
    const value = option.value ? words[++index] : undefined;
    if (option.value && value === undefined) return fail(`Missing value for ${word}.`);
    const problem = set(command, word, value ?? "");
    if (problem !== undefined) return fail(problem);
  }
  if (name === "check" && command.provider === undefined && command.model === undefined) {
    return fail("Error: Auth checks require --provider <provider> or --model <model>");
  }
  return { command };
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
      if (ms === undefined) return "--min-expiry must use a duration such as 30m or 1h";
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
