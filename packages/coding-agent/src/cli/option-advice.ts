/** What to do about an option that cannot be understood: the line after the error. Pure. */
import { allOptionWords, findOption, type OptionSpec, optionUsage } from "./options.js";
import { closest, didYouMean } from "./suggest.js";

const seeHelp = "All options: pi --help";

/**
 * For names that neither the program nor an extension knows.
 * @param flags what extensions know, with dashes
 */
export function unknownOptionsAdvice(
  unknown: ReadonlyMap<string, boolean | string>,
  flags: readonly string[] = [],
): string {
  const words = [...allOptionWords(), ...flags];
  const [[name, value] = ["", true]] = unknown;
  const known = unknown.size === 1 ? findOption(`--${name}`) : undefined;
  // A name that is known comes here without its value only, or joined to it.
  if (known) return value === true ? missingValueAdvice(known) : joinedValueAdvice(known);
  const near = [...unknown.keys()].flatMap((each) => closest(`--${each}`, words) ?? []);
  return near.length > 0 ? `Did you mean ${near.join(", ")}?` : seeHelp;
}

/** For words with one dash. */
export function shortOptionAdvice(word: string): string {
  const near = didYouMean(word, allOptionWords());
  if (near) return near;
  const letters = [...word.slice(1)];
  if (letters.length > 1 && letters.every((letter) => findOption(`-${letter}`)?.kind === "flag")) {
    return `Short options are words of their own: ${letters.map((letter) => `-${letter}`).join(" ")}`;
  }
  const first = findOption(word.slice(0, 2));
  const rest = word.slice(2).replace(/^=/, "");
  if (first && rest !== "" && (first.kind !== "flag" || first.key === "print")) {
    return `What follows an option is a word of its own: ${word.slice(0, 2)} ${rest}`;
  }
  return seeHelp;
}

/** For an option at the end that needs a value. */
export function missingValueAdvice(spec: OptionSpec): string {
  return `Write: ${optionUsage({ ...spec, aliases: [] })}`;
}

/** For a value that is none of those there are. */
export function badValueAdvice(value: string, { long, values = [] }: OptionSpec, type: "error" | "warning"): string {
  const near = didYouMean(value, values);
  if (type === "warning") return near ? `${near} The option is ignored.` : "The option is ignored.";
  return near ?? `For example: ${long} ${values[0]}`;
}

/** The value is not repeated: it may be a key. */
function joinedValueAdvice(spec: OptionSpec): string {
  return spec.kind === "flag"
    ? `${spec.long} takes no value.`
    : `The value is a word of its own: ${optionUsage({ ...spec, aliases: [] })}`;
}
