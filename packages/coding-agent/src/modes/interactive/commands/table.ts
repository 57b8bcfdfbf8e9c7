import { accountCommands } from "./account-commands.js";
import { modelCommands } from "./model-commands.js";
import { outputCommands } from "./output-commands.js";
import { programCommands } from "./program-commands.js";
import { sessionCommands } from "./session-commands.js";
import { settingsCommands } from "./settings-commands.js";
import type { BuiltinCommand } from "./types.js";

/** Every command of the program, in the order in which they are offered. Source: tui.md section B5. */
export const builtinCommands: readonly BuiltinCommand[] = [
  ...settingsCommands,
  ...modelCommands,
  ...accountCommands,
  ...sessionCommands,
  ...outputCommands,
  ...programCommands,
];

/** The command a text names, exactly or with arguments behind it. */
export function findCommand(text: string): { command: BuiltinCommand; args: string } | undefined {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const command = builtinCommands.find(({ name }) => name === match?.[1]);
  return command && { command, args: match?.[2]?.trim() ?? "" };
}
