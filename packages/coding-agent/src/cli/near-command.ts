/** Words at the front that were meant as a command, and prompts that only look a little like one. Pure. */
import { findSubcommand, findSubcommandOption, type Subcommand, subcommands } from "./subcommands.js";
import { closest, editDistance } from "./suggest.js";

/**
 * The command that a first word nearly is. Undefined for a prompt: a word that is near no command, and one that is but
 * what follows it is not what the command takes.
 */
export function nearCommand(argv: readonly string[]): Subcommand | undefined {
  const [word = "", ...rest] = argv;
  // A sentence is none, and neither is a word that begins or ends as no name does.
  if (!/^[a-z]{3,12}$/i.test(word) || findSubcommand(word)) return undefined;
  return subcommands.find(
    (command) =>
      [command.name, ...(command.aliases ?? [])].some((name) => isNear(word, name)) && couldFollow(rest, command),
  );
}

/** One slip in a short word, two in a long one. A name of three letters has too many neighbours: only swapped ones count. */
function isNear(word: string, name: string): boolean {
  const isShort = name.length < 4;
  if (isShort && [...word.toLowerCase()].sort().join() !== [...name].sort().join()) return false;
  return editDistance(word.toLowerCase(), name) <= (name.length < 7 ? 1 : 2);
}

/** Whether the words are what the command takes: its options and so many words. */
function couldFollow(words: readonly string[], command: Subcommand): boolean {
  const { verbs } = command;
  if (verbs) {
    const [verb] = words;
    return (
      verb === undefined ||
      closest(
        verb,
        verbs.map(({ name }) => name),
      ) !== undefined
    );
  }
  let plain = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) plain++;
    else {
      const option = findSubcommandOption(word, command);
      if (!option) return false;
      if (option.placeholder) at++;
    }
  }
  return plain <= command.words;
}
