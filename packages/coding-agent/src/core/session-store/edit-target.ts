import type { ContextEditableContent } from "./entries.js";
import type { EntryIndex } from "./entry-index.js";

/**
 * What an edit may replace, and by what. Source: sessions.md section 3, appendContextEdit.
 * @param branch numbers of the entries on the active branch
 * @throws when the replacement or the target is none
 */
export function assertEditable(
  index: EntryIndex,
  target: number,
  branch: readonly number[],
  replacement: null | { content: ContextEditableContent },
): void {
  const content = replacement === null ? "" : replacement?.content;
  if (typeof content !== "string" && !Array.isArray(content)) {
    throw new Error("Context edit replacement must be null or contain string/array content");
  }
  const id = index.id(target);
  if (!branch.includes(target)) throw new Error(`Entry ${id} is not on the active branch`);
  const type = index.type(target);
  const isEditable = type === "message" && ["user", "assistant", "toolResult"].includes(index.role(target));
  if (!isEditable && type !== "custom_message") {
    throw new Error(`Entry ${id} does not contribute editable model content`);
  }
}
