/** Commands, keys and flags of extensions. Source: extensions.md sections 4.1, 4.3, 4.4. */
import type { AutocompleteItem, KeyId } from "@earendil-works/pi-tui";
import type { SourceInfo } from "../../resources/resource-types.js";
import type { ExtensionCommandContext, ExtensionContext } from "./context.js";

/** `/name args`. */
export interface RegisteredCommand {
  name: string;
  sourceInfo: SourceInfo;
  description?: string | undefined;
  getArgumentCompletions?:
    | ((prefix: string) => AutocompleteItem[] | null | Promise<AutocompleteItem[] | null>)
    | undefined;
  /** @param args everything after the one space that follows the name, as it was written */
  handler(args: string, ctx: ExtensionCommandContext): Promise<void>;
}

/** Commands of one name are called `name:1`, `name:2`, ... in load order. */
export interface ResolvedCommand extends RegisteredCommand {
  invocationName: string;
}

export type SlashCommandSource = "extension" | "prompt" | "skill";

export interface SlashCommandInfo {
  name: string;
  description?: string | undefined;
  source: SlashCommandSource;
  sourceInfo: SourceInfo;
}

export interface ExtensionShortcut {
  shortcut: KeyId;
  description?: string | undefined;
  handler(ctx: ExtensionContext): void | Promise<void>;
  extensionPath: string;
}

/** `--name` on the command line. */
export interface ExtensionFlag {
  name: string;
  description?: string | undefined;
  type: "boolean" | "string";
  default?: boolean | string | undefined;
  extensionPath: string;
}
