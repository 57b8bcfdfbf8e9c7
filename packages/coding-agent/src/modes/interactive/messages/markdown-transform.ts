/** What extensions make of text on its way to the screen. Source: extensions.md section 4.1. */
import type {
  MarkdownTransformContext,
  MarkdownTransformer,
  MarkdownTransformerRegistration,
} from "../../../core/extensions/types/renderers.js";

/** What is known of a message when its part of the chat is made. */
export type TransformedMessage = Pick<MarkdownTransformContext, "messageType" | "messageId" | "timestamp">;

/**
 * The transformers in a row, as the Markdown component wants them; undefined when there are none.
 * @param isStreaming asked whenever the text is laid out
 */
export function markdownTransform(
  transformers: readonly MarkdownTransformer[],
  message: TransformedMessage,
  isStreaming: () => boolean = () => false,
): ((markdown: string, availableWidth: number) => string) | undefined {
  if (transformers.length === 0) return undefined;
  return (markdown, availableWidth) => {
    const context = { ...message, isStreaming: isStreaming(), availableWidth };
    return transformers.reduce((text, transformer) => applied(transformer, text, context), markdown);
  };
}

/** The transformers that extensions registered at the moment of drawing, each for its kinds of messages. */
export function registeredTransformer(
  registrations: () => readonly MarkdownTransformerRegistration[],
): MarkdownTransformer {
  return (markdown, context) =>
    registrations()
      .filter(({ messageTypes }) => messageTypes.has(context.messageType))
      .reduce((text, { transformer }) => applied(transformer, text, context), markdown);
}

/** A transformer that fails, or gives no text, changes nothing. */
function applied(transformer: MarkdownTransformer, text: string, context: MarkdownTransformContext): string {
  try {
    const changed: unknown = transformer(text, context);
    return typeof changed === "string" ? changed : text;
  } catch {
    return text;
  }
}
