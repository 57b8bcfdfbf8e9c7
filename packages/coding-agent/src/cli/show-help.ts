/** `--help`, in one piece: what it needs is loaded at once, and with nothing else. */
import { allToolNames } from "../core/tools/tool-names.js";
import { extensionFlags } from "./extension-flags.js";
import { helpText } from "./help.js";
import type { Invocation } from "./invocation.js";
import { unknownOptionsAdvice } from "./option-advice.js";

export interface ShownHelp {
  /** For stdout. */
  text: string;
  /** For stderr. */
  problems: string[];
}

export async function showHelp(place: Invocation): Promise<ShownHelp> {
  const { flags, problems } = await extensionFlags(place);
  const unknown = new Map([...place.args.unknownFlags].filter(([given]) => !flags.some(({ name }) => name === given)));
  const text = helpText(allToolNames, flags);
  if (unknown.size === 0) return { text, problems };
  const names = [...unknown.keys()].map((name) => `--${name}`).join(", ");
  const what = `Unknown option${unknown.size > 1 ? "s" : ""}: ${names}`;
  return { text, problems: [...problems, `${what}\n${unknownOptionsAdvice(unknown)}`] };
}
