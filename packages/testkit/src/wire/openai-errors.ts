import type { WireError } from "./wire.js";

/** The error object that both OpenAI APIs use. */
export function openAiErrorBody({ status, message, type }: WireError): object {
  return { error: { message, type: type ?? typeOf(status), param: null, code: codeOf(status) } };
}

function typeOf(status: number): string {
  if (status === 429) return "requests";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

function codeOf(status: number): string | null {
  if (status === 401) return "invalid_api_key";
  return status === 429 ? "rate_limit_exceeded" : null;
}

export const openAiUnauthorized = {
  missing:
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
  wrong: "Incorrect API key provided.",
};

export function openAiHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "openai-processing-ms": "1", "openai-version": "2020-10-01" };
}
