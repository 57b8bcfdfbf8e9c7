/** What is used of an entry of a session. */
export interface SessionEntry {
  type: string;
  message?: SessionMessage;
}

interface SessionMessage {
  role: string;
  content?: string | { type: string; text?: string }[];
  stopReason?: string;
  errorMessage?: string;
}

/** Without text, there is none; `why`, when the session tells. */
export interface Answer {
  text?: string;
  why?: string;
}

/**
 * The answer to a prompt: the last that the assistant says before the user says something else. Prompts that waited
 * together are answered together, and one that came while a tool ran is answered with the one before.
 * @param entries those after the prompt's own
 * @param isSettled whether the run came to its end: after tool calls, there may be nothing more to say
 */
export function answerIn(entries: readonly SessionEntry[], isSettled: boolean): Answer {
  let last: SessionMessage | undefined;
  for (const { type, message } of entries) {
    if (type !== "message" || !message) continue;
    if (message.role === "user" && last && last.stopReason !== "toolUse") break;
    if (message.role === "assistant") last = message;
  }
  if (!last) return {};
  const { stopReason, errorMessage, content = "" } = last;
  if (stopReason === "error" || stopReason === "aborted") return { why: errorMessage ?? `The answer: ${stopReason}.` };
  if (stopReason === "toolUse" && !isSettled) return {};
  if (typeof content === "string") return { text: content };
  return { text: content.flatMap(({ type, text }) => (type === "text" ? (text ?? "") : [])).join("") };
}
