/** `--help`, in one piece: what it needs is loaded at once, and with nothing else. */
import { allToolNames } from "../core/tools/tool-names.js";
import { extensionFlags } from "./extension-flags.js";
import { helpText } from "./help.js";
import type { Invocation } from "./invocation.js";
import { unknownFlagsText } from "./unknown-flags.js";

export interface ShownHelp {
  /** For stdout. */
  text: string;
  /** For stderr. */
  problems: string[];
}

export async function showHelp(place: Invocation): Promise<ShownHelp> {
  const { flags, problems } = await extensionFlags(place);
  const names = flags.map(({ name }) => name);
  const unknown = unknownFlagsText(place.args.unknownFlags, names);
  return { text: helpText(allToolNames, flags), problems: unknown === undefined ? problems : [...problems, unknown] };
}
