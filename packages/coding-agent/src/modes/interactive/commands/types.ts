import type { AutocompleteItem } from "@earendil-works/pi-tui";
import type { Desk } from "../desk.js";

/** A slash command of the program itself. */
export interface BuiltinCommand {
  name: string;
  description: string;
  argumentHint?: string | undefined;
  /** Known, but not offered. */
  isHidden?: boolean | undefined;
  complete?: ((prefix: string, desk: Desk) => AutocompleteItem[] | null) | undefined;
  /** @param args what follows the name, trimmed. What it throws is shown as an error. */
  run(args: string, desk: Desk): void | Promise<void>;
}
