import { withDeepestCause } from "../errors/cause.js";
import { HttpConnectionError, HttpSetupError } from "./errors.js";

/** What Node calls certificates that it does not trust. The handshake fails the same way each time. */
const CERTIFICATE_CODES =
  /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;
const MAX_CAUSES = 10;

/**
 * The failure of an attempt that got no answer: of the network, so that it may be tried again, or of how things are set
 * up, so that it may not.
 * @param base what the failure of the network says first
 */
export function networkFailure(base: string, error: unknown, url: string): HttpConnectionError | HttpSetupError {
  for (const cause of causes(error)) {
    if (cause instanceof HttpSetupError || cause instanceof HttpConnectionError) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (CERTIFICATE_CODES.test(code)) {
      return new HttpSetupError(
        "certificate",
        `The certificate of ${new URL(url).host} is not trusted: ${cause.message} (${code}). If it is the right server, ` +
          "set NODE_EXTRA_CA_CERTS to a file with the certificate of who issued it.",
        { cause: error },
      );
    }
    if (cause.message === "bad port") {
      const text = `${base}: requests to ${new URL(url).host} are blocked, the server has to use another port: bad port`;
      return new HttpSetupError("address", text);
    }
  }
  return new HttpConnectionError("connection", withDeepestCause(base, wrapped(error)), { cause: error });
}

function* causes(error: unknown): Generator<Error> {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    yield current;
    current = current instanceof AggregateError ? (current.cause ?? current.errors.at(-1)) : current.cause;
  }
}

/** A network failure says what happened only in its cause; any other failure of a fetch function says it itself. */
function wrapped(error: unknown): Error {
  const hasCause = error instanceof Error && error.cause instanceof Error;
  return hasCause ? error : new Error("", { cause: error instanceof Error ? error : new Error(String(error)) });
}
