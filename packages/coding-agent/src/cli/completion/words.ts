/** What can be completed, in one shape for options of the program and of its commands. Pure. */
import { type OptionSpec, optionSpecs } from "../options.js";
import { type Subcommand, type SubcommandOption, subcommands } from "../subcommands.js";

/** What the value of an option is: one of a few words, or something that is looked up. */
export type CompletionValue = readonly string[] | "file" | "folder" | "model" | "provider" | "text";

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
  /** A plain word follows. */
  takesWord: boolean;
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
function ofCommand({ name, aliases = [], summary, options, verbs = [], words }: Subcommand): CompletionCommand[] {
  return [name, ...aliases].map((spelling) => ({
    name: spelling,
    description: summary,
    options: options.map(ofCommandOption),
    verbs: verbs.flatMap(ofCommand),
    takesWord: words > 0,
  }));
}

function ofCommandOption({ long, aliases = [], placeholder, description }: SubcommandOption): CompletionOption {
  const looked = placeholder === "model" || placeholder === "provider" ? placeholder : "text";
  return {
    words: [...aliases, long],
    description,
    value: placeholder === undefined ? undefined : looked,
    repeats: false,
  };
}
