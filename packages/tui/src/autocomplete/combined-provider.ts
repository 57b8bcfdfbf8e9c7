import { fuzzyFilter } from "../fuzzy.js";
import { suggestFiles, suggestPaths } from "./path-suggestions.js";
import { tokenBefore } from "./tokens.js";
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions, SlashCommand } from "./types.js";

type Command = SlashCommand | AutocompleteItem;

/** Commands at the start, `@` files, and paths. */
export class CombinedAutocompleteProvider implements AutocompleteProvider {
  private readonly commands: readonly Command[];

  /**
   * @param fdPath accepted for compatibility: files are found by a walk of our own, which needs no other program
   */
  constructor(
    commands: Command[] | undefined,
    private readonly basePath: string,
    _fdPath?: string | null,
  ) {
    this.commands = commands ?? [];
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    // Older callers know no options.
    options: { signal: AbortSignal; force?: boolean } = { signal: new AbortController().signal },
  ): Promise<AutocompleteSuggestions | null> {
    const line = lines[cursorLine] ?? "";
    const token = tokenBefore(line, cursorCol);
    if (token.text.startsWith("@")) {
      return some(await suggestFiles(token.text, this.basePath, options.signal), token.text);
    }
    const typed = line.slice(0, cursorCol).trimStart();
    if (cursorLine === 0 && typed.startsWith("/")) {
      const commands = await this.suggestCommands(typed);
      if (commands !== undefined) return commands;
      if (!options.force) return null;
    }
    const isPath = /[/]|^"?\.|^"?~\//.test(token.text);
    if (!options.force && !isPath) return null;
    return some(await suggestPaths(token.text, this.basePath), token.text);
  }

  applyCompletion(lines: string[], cursorLine: number, cursorCol: number, item: AutocompleteItem, prefix: string) {
    const line = lines[cursorLine] ?? "";
    const start = cursorCol - prefix.length;
    const isCommand =
      cursorLine === 0 && /^\s*$/.test(line.slice(0, start)) && /^\/\S*$/.test(prefix) && this.has(item.value);
    const text = isCommand
      ? `/${item.value} `
      : item.value + (item.value.startsWith("@") && !isFolder(item.value) ? " " : "");
    const quoted = item.value.endsWith('"');
    // The quote that the user's editor or an earlier completion put behind the cursor stands already.
    const rest = quoted && line[cursorCol] === '"' ? line.slice(cursorCol + 1) : line.slice(cursorCol);
    // In a quoted folder typing goes on before the closing quote.
    const back = quoted && isFolder(item.value) ? 1 : 0;
    const next = [...lines];
    next[cursorLine] = line.slice(0, start) + text + rest;
    return { lines: next, cursorLine, cursorCol: start + text.length - back };
  }

  /** Tab does not ask for files while the name of a command is being typed. */
  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    const typed = (lines[cursorLine] ?? "").slice(0, cursorCol).trimStart();
    return !(cursorLine === 0 && /^\/[^\s/]*$/.test(typed));
  }

  private has(value: string): boolean {
    return this.commands.some((command) => nameOf(command) === value);
  }

  /** Undefined when the text is neither a name nor the arguments of a command. */
  private async suggestCommands(typed: string): Promise<AutocompleteSuggestions | null | undefined> {
    const space = typed.search(/\s/);
    if (space < 0) {
      const query = typed.slice(1);
      if (query.includes("/")) return undefined;
      const short = fuzzyFilter([...this.commands], query, (command) => nameOf(command).replace(/^skill:/, ""));
      const rest = fuzzyFilter([...this.commands], query, nameOf).filter((command) => !short.includes(command));
      return some([...short, ...rest].map(commandItem), typed);
    }
    const command = this.commands.find((one) => nameOf(one) === typed.slice(1, space));
    const complete = command && "name" in command ? command.getArgumentCompletions : undefined;
    if (!complete) return undefined;
    const prefix = typed.slice(space + 1);
    return some((await complete(prefix)) ?? [], prefix);
  }
}

function nameOf(command: Command): string {
  return "name" in command ? command.name : command.value;
}

function commandItem(command: Command): AutocompleteItem {
  if (!("name" in command)) return command;
  const description = [command.argumentHint, command.description].filter(Boolean).join(" — ");
  return { value: command.name, label: command.name, ...(description && { description }) };
}

function isFolder(value: string): boolean {
  return /\/"?$/.test(value);
}

function some(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length > 0 ? { items, prefix } : null;
}
