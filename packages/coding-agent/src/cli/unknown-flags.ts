/** Options that nobody knows, where no session looks at them: `--version`, `--help`, `--list-models` and their like. */
import type { Args } from "./args.js";
import { extensionFlags } from "./extension-flags.js";
import type { Invocation } from "./invocation.js";
import { unknownOptionsAdvice } from "./option-advice.js";

/** What to say about them, with what may have been meant; undefined when extensions know them all. */
export async function unknownFlagsProblem(invocation: Invocation): Promise<string | undefined> {
  const { unknownFlags } = invocation.args;
  if (unknownFlags.size === 0) return undefined;
  const { flags } = await extensionFlags(invocation);
  return unknownFlagsText(
    unknownFlags,
    flags.map(({ name }) => name),
  );
}

/** @param known names that extensions know */
export function unknownFlagsText(flags: Args["unknownFlags"], known: readonly string[]): string | undefined {
  const unknown = new Map([...flags].filter(([name]) => !known.includes(name)));
  if (unknown.size === 0) return undefined;
  const names = [...unknown.keys()].map((name) => `--${name}`).join(", ");
  const options = known.map((name) => `--${name}`);
  return `Unknown option${unknown.size > 1 ? "s" : ""}: ${names}\n${unknownOptionsAdvice(unknown, options)}`;
}
