import type { InlineExtension } from "../core/extensions/types.js";
import type { Args } from "./args.js";

/** What a start is made from. */
export interface Invocation {
  args: Args;
  cwd: string;
  agentDir: string;
  /** Extensions of a program that calls `main` itself. */
  extensionFactories?: InlineExtension[] | undefined;
}
