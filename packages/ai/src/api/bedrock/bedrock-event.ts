import { invalidEvent, record, text } from "../event-fields.js";
import type { AwsMessage } from "./aws-event-stream.js";

/** A failure that the service reports in the stream, named like those that it answers with. */
class StreamedException extends Error {
  constructor(type: string, message: string) {
    super(message);
    this.name = type.charAt(0).toUpperCase() + type.slice(1);
  }
}

/**
 * The event of a message, under the name of its type: `{contentBlockDelta: {...}}`.
 * @throws StreamedException for a message that reports a failure
 */
export function bedrockEvent({ headers, payload }: AwsMessage): Record<string, unknown> {
  if (headers[":message-type"] === "error") {
    throw new StreamedException(headers[":error-code"] ?? "UnknownError", headers[":error-message"] ?? "");
  }
  const value = parsed(payload);
  if (headers[":message-type"] === "exception") {
    throw new StreamedException(headers[":exception-type"] ?? "UnknownException", text(value["message"]) ?? payload);
  }
  return { [headers[":event-type"] ?? "unknown"]: value };
}

function parsed(payload: string): Record<string, unknown> {
  try {
    return record(JSON.parse(payload));
  } catch (error) {
    throw invalidEvent("Bedrock", payload, error);
  }
}
