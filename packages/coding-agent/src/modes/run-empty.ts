/** What is said when nothing is left that could end what the program waits for. */
import type { Wait } from "../core/extensions/running/waits.js";

/** Names who has not answered, and what helps. */
export function runEmptyText(waits: readonly Wait[]): string {
  if (waits.length === 0) {
    return "Error: pi waited for an answer, and nothing is left that could bring it.";
  }
  const lines = waits.map(
    ({ extensionPath, what }) =>
      `Error: Extension "${extensionPath}" has not answered, and nothing is left that could make it: ${what}.`,
  );
  return [...new Set(lines), 'Hint: Start without extensions using "pi -ne".'].join("\n");
}
