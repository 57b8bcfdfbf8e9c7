/** What a client asked for cannot be; the text says why. */
export class RequestError extends Error {
  override name = "RequestError";

  constructor(
    readonly code: "unknown_instance" | "invalid_request" | "wrong_state" | "shutting_down",
    message: string,
  ) {
    super(message);
  }
}
