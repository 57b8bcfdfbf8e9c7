import type { SystemMessage } from "../types.js";
import { contentText } from "./content-text.js";

/** Between the contents and the sections of a system prompt. Source: llm.md section 2. */
export const SECTION_SEPARATOR = "\n\n";

/** The prompt text one system message stands for by itself: its content, then its sections. */
export function getSystemMessageText(message: SystemMessage): string {
  const parts = [contentText(message.content), ...Object.values(message.sections ?? {})];
  return parts.filter((part) => part !== null && part !== "").join(SECTION_SEPARATOR);
}

/**
 * A later system message as text for a model that accepts such messages in the conversation: its content, then what
 * became of each section.
 */
export function renderSystemMessageUpdate(message: SystemMessage): string {
  const parts: string[] = [];
  const content = contentText(message.content);
  if (content) parts.push(content);
  for (const [name, value] of Object.entries(message.sections ?? {})) {
    parts.push(
      value === null
        ? `Removed system prompt section "${name}".`
        : `Updated system prompt section "${name}":${SECTION_SEPARATOR}${value}`,
    );
  }
  return parts.join(SECTION_SEPARATOR);
}
