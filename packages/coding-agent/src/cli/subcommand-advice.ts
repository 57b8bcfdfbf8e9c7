/** What to do about an option that a command does not know. Pure. */
import { findSubcommandOption, optionNames, optionWords, type Subcommand } from "./subcommands.js";
import { didYouMean } from "./suggest.js";

/** One line; undefined when the option is like none of the command's. */
export function subcommandOptionAdvice(word: string, command: Subcommand): string | undefined {
  const [name = "", ...value] = word.split("=");
  const known = value.length > 0 ? findSubcommandOption(name, command) : undefined;
  if (!known) return didYouMean(name, optionWords(command));
  // The value is not repeated: it may be a key.
  return known.placeholder === undefined
    ? `${name} takes no value.`
    : `The value is a word of its own: ${optionNames({ ...known, aliases: [] })}`;
}
