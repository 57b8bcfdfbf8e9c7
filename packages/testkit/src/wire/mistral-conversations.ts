import { stringOf } from "./json.js";
import { readConversation } from "./mistral-conversations/conversation.js";
import { renderTurn } from "./mistral-conversations/events.js";
import { findProblems } from "./mistral-conversations/problems.js";
import { dataEvent } from "./sse.js";
import { bearerKey, type Wire } from "./wire.js";

/** `POST /v1/chat/completions` of Mistral: content in chunks, ids of nine characters, nothing unknown. */
export const mistralConversations: Wire = {
  api: "mistral-conversations",
  keyOf: bearerKey,
  modelOf: (body) => stringOf(body["model"]),
  readConversation,
  findProblems,
  renderTurn,
  responseHeaders: (requestId) => ({ "mistral-correlation-id": requestId }),
  errorBody: ({ status, message, type }) => ({
    object: "error",
    message,
    type: type ?? (status === 429 ? "rate_limited" : status >= 500 ? "internal_server_error" : "invalid_request_error"),
    param: null,
    code: String(status),
    raw_status_code: status,
    // Gateways put the same into `error`, where clients of other APIs look for it.
    error: { message, type: type ?? "requests" },
  }),
  errorFrame: (message = "Service unavailable.", type = "internal_server_error") =>
    dataEvent({ object: "error", error: { message, type }, message, type, param: null, code: "3000" }),
  malformedFrame: `data: {"id":"malformed","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"cont\n\n`,
  unauthorized: { missing: "Unauthorized", wrong: "Unauthorized: invalid key" },
};
