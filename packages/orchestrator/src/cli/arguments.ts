import { parseArgs } from "node:util";
import { type VerbSpec, verbs } from "./verbs.js";

/** The command line is not one. */
export class UsageError extends Error {
  override name = "UsageError";
  readonly code = "usage";
}

export class VerbArguments {
  constructor(
    readonly verb: VerbSpec,
    readonly words: readonly string[],
    readonly values: Readonly<Record<string, string | boolean | undefined>>,
  ) {}

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === "string" ? value : undefined;
  }

  isSet(name: string): boolean {
    return this.values[name] === true;
  }

  /** @throws UsageError for what is no number from `least` on */
  number(name: string, least = 1): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number) || number < least) {
      throw new UsageError(`--${name} takes a number from ${least}: ${value}`);
    }
    return number;
  }
}

/** @throws UsageError */
export function parseVerb(argv: readonly string[]): VerbArguments {
  const [name = "", ...rest] = argv;
  const verb = verbs.find((candidate) => candidate.name === name);
  if (!verb) throw new UsageError(`Unknown verb: ${name}. Known: ${verbs.map((known) => known.name).join(", ")}.`);
  const options = Object.fromEntries(
    verb.options.map((option) => [
      option.name,
      { type: option.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({ args: rest, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const [least, most] = verb.count;
  if (parsed.positionals.length < least || parsed.positionals.length > most) {
    throw new UsageError(`Usage: pi-orchestrator ${verb.name} ${verb.words}`);
  }
  return new VerbArguments(verb, parsed.positionals, parsed.values);
}
