/** What can come of a request in place of an answer. */

/** The server answered with an error status. */
export class HttpStatusError extends Error {
  override name = "HttpStatusError";
  readonly code = "http_status";

  constructor(
    readonly status: number,
    readonly statusText: string,
    readonly headers: Record<string, string>,
    /** Beginning of the body; empty when there is none. */
    readonly body: string,
  ) {
    super(`${status} ${body || statusText || "status code (no body)"}`);
  }
}

/** No usable answer came from the network. The message ends with the innermost cause. */
export class HttpConnectionError extends Error {
  override name = "HttpConnectionError";
  readonly code: "connection" | "timeout";

  constructor(code: "connection" | "timeout", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The request cannot succeed the way things are set up: sending it again does not help. The message says what to change. */
export class HttpSetupError extends Error {
  override name = "HttpSetupError";

  constructor(
    readonly code: "address" | "redirect" | "header" | "certificate" | "proxy",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server asks for a longer wait than the caller accepts. */
export class HttpRetryDelayError extends Error {
  override name = "HttpRetryDelayError";
  readonly code = "retry_delay";
}

/** The caller's signal ended the request. */
export class HttpAbortError extends Error {
  override name = "AbortError";
  readonly code = "aborted";

  constructor() {
    super("Request was aborted");
  }
}
