/**
 * The text of a message's content: the string itself, or its text blocks joined by `separator` (default newline).
 * Other blocks are skipped.
 */
export function contentText(
  content: string | readonly { type: string; text?: unknown }[],
  separator: string = "\n",
): string {
  if (typeof content === "string") return content;
  const texts: string[] = [];
  for (const block of content) if (block.type === "text" && typeof block.text === "string") texts.push(block.text);
  return texts.join(separator);
}
