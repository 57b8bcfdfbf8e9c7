/** Options that extensions add, for the help text. Source: cli-and-config.md section 1.6. */
import type { ExtensionFlag } from "../core/extensions/types.js";
import { findExtensions } from "./found-extensions.js";
import type { Invocation } from "./invocation.js";

export interface ExtensionFlags {
  flags: ExtensionFlag[];
  /** Extensions that could not be loaded, one line each. */
  problems: string[];
}

/** Each name once, as the first extension has it. */
export async function extensionFlags(invocation: Invocation): Promise<ExtensionFlags> {
  const { loaded, problems } = await findExtensions(invocation);
  const flags = new Map<string, ExtensionFlag>();
  for (const flag of loaded?.extensions.flatMap((extension) => [...extension.flags.values()]) ?? []) {
    if (!flags.has(flag.name)) flags.set(flag.name, flag);
  }
  return { flags: [...flags.values()], problems };
}
