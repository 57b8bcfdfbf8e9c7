/** The session was replaced by another one, or disposed of. Nothing was done. */
export class SessionEndedError extends Error {
  override name = "SessionEndedError";
  readonly code = "session_ended";

  constructor() {
    super("This session has ended: it was replaced or disposed of. Use the one in its place, or begin another one.");
  }
}

/** A prompt was given up before it became clear what becomes of it. It is not in the conversation. */
export class PromptAbortedError extends Error {
  override name = "PromptAbortedError";
  readonly code = "prompt_aborted";

  constructor() {
    super("The prompt was aborted before its run began. Send it again if it is still wanted.");
  }
}
