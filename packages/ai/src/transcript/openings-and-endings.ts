/** What APIs want of the first message of a request and of the end of an answer, whatever a conversation was cut to. */

/** Stands for what came before a conversation that begins with an answer or with results. */
export const EARLIER_TEXT = "(The conversation so far is not shown.)";

/** Puts `opening` before messages that do not begin with one of the user. */
export function beginningWithUser<M extends { role?: unknown }>(messages: M[], opening: M): M[] {
  const [first] = messages;
  return first === undefined || first.role === "user" ? messages : [opening, ...messages];
}

/**
 * Without the thinking an answer ends with: nothing came of it, and what thinks takes it back only before something it led
 * to. An answer that was cut in its thoughts has nothing left.
 */
export function endingWithoutThinking<B>(blocks: readonly B[], isThinking: (block: B) => boolean): B[] {
  const last = blocks.findLastIndex((block) => !isThinking(block));
  return blocks.slice(0, last + 1);
}
