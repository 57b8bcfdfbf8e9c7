/**
 * A session file is not checked against anything, so the page takes nothing for granted: every field is looked at
 * through these, and what has another shape counts as absent.
 */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = Object.freeze(Object.create(null));

/** The fields of an object; none of anything else. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

/** The text, or "". */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The number, or 0. */
export function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The items of an array; none of anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The blocks of a message's content: a text is one block. */
export function blocks(content: unknown): readonly Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return list(content).map(fields);
}

/** The text blocks of a message's content, joined. */
export function contentText(content: unknown): string {
  return blocks(content)
    .map((block) => (block["type"] === "text" ? text(block["text"]) : ""))
    .filter((part) => part !== "")
    .join("\n");
}
