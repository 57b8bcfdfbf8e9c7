import type { AutocompleteItem, AutocompleteProvider } from "./types.js";

type Completed = ReturnType<AutocompleteProvider["applyCompletion"]>;

/**
 * What a text becomes with a suggestion, as its provider says. One that fails, or gives no text, leaves it to the usual
 * way: the suggestion takes the place of what it was asked for.
 */
export function completed(
  provider: AutocompleteProvider,
  lines: string[],
  line: number,
  col: number,
  item: AutocompleteItem,
  prefix: string,
): Completed {
  try {
    const given: unknown = provider.applyCompletion([...lines], line, col, item, prefix);
    if (isCompleted(given)) return given;
  } catch {
    // As for one that gives nothing.
  }
  const text = lines[line] ?? "";
  const start = Math.max(0, col - prefix.length);
  const changed = text.slice(0, start) + item.value + text.slice(col);
  return { lines: lines.with(line, changed), cursorLine: line, cursorCol: start + item.value.length };
}

function isCompleted(value: unknown): value is Completed {
  if (typeof value !== "object" || value === null) return false;
  const { lines, cursorLine, cursorCol } = value as Partial<Completed>;
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === "string")) return false;
  const length = lines[cursorLine ?? -1]?.length ?? -1;
  return Number.isInteger(cursorCol) && (cursorCol ?? -1) >= 0 && (cursorCol ?? 0) <= length;
}
