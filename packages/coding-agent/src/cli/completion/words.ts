import { providerTable } from "@earendil-works/pi-ai/providers/all";
/** What can be completed, in one shape for options of the program and of its commands. Pure. */
import { type OptionSpec, optionSpecs } from "../options.js";
import { type Subcommand, type SubcommandOption, subcommands } from "../subcommands.js";

/**
 * What the value of an option is: one of a few words, or something that is looked up. `provider` has models to use, while
 * any provider can be signed in to.
 */
export type CompletionValue = readonly string[] | "file" | "folder" | "model" | "provider" | "any-provider" | "text";

export interface CompletionOption {
  /** Every spelling. */
  words: readonly string[];
  description: string;
  /** Undefined: it takes none. */
  value: CompletionValue | undefined;
  /** May be given more than once. */
  repeats: boolean;
}

export interface CompletionCommand {
  name: string;
  description: string;
  options: readonly CompletionOption[];
  verbs: readonly CompletionCommand[];
  /** What a plain word is; undefined: none follows. */
  word: "file" | "any-provider" | undefined;
}

/** The providers that are built in. Others are those of models.json, which only the program itself can tell. */
export function builtInProviders(): string[] {
  return providerTable.map(({ id }) => id);
}

export function completionOptions(): CompletionOption[] {
  return optionSpecs.filter(({ isPlanned }) => !isPlanned).map(ofOption);
}

export function completionCommands(): CompletionCommand[] {
  return subcommands.filter(({ isPlanned }) => !isPlanned).flatMap(ofCommand);
}

function ofOption(spec: OptionSpec): CompletionOption {
  const { long, aliases = [], kind, values, names, description } = spec;
  const value = kind === "flag" || kind === "optional" ? undefined : (values ?? names ?? "text");
  return { words: [...aliases, long], description, value, repeats: kind === "values" };
}

/** One for each spelling of its name. */
function ofCommand({
  name,
  aliases = [],
  summary,
  options,
  verbs = [],
  words,
  names,
}: Subcommand): CompletionCommand[] {
  return [name, ...aliases].map((spelling) => ({
    name: spelling,
    description: summary,
    options: options.map(ofCommandOption),
    verbs: verbs.flatMap(ofCommand),
    word: words === 0 ? undefined : names === "provider" ? "any-provider" : "file",
  }));
}

function ofCommandOption({ long, aliases = [], placeholder, description }: SubcommandOption): CompletionOption {
  const looked = placeholder === "provider" ? "any-provider" : placeholder === "model" ? "model" : "text";
  return {
    words: [...aliases, long],
    description,
    value: placeholder === undefined ? undefined : looked,
    repeats: false,
  };
}
