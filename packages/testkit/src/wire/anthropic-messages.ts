import { readConversation } from "./anthropic-messages/conversation.js";
import { errorBody } from "./anthropic-messages/errors.js";
import { renderTurn } from "./anthropic-messages/events.js";
import { findProblems } from "./anthropic-messages/problems.js";
import { stringOf } from "./json.js";
import { namedEvent } from "./sse.js";
import { bearerKey, type Wire } from "./wire.js";

/** `POST /v1/messages`. Errors, headers and events as in Anthropic's Messages API, version 2023-06-01. */
export const anthropicMessages: Wire = {
  api: "anthropic-messages",
  keyOf: (headers) => headers["x-api-key"] || bearerKey(headers),
  modelOf: (body) => stringOf(body["model"]),
  readConversation,
  findProblems,
  renderTurn,
  responseHeaders: (requestId) => ({ "request-id": requestId, "anthropic-organization-id": "scripted" }),
  errorBody,
  errorFrame: (message = "Overloaded", type = "overloaded_error") =>
    namedEvent("error", { type: "error", error: { type, message } }),
  malformedFrame: `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_del\n\n`,
  unauthorized: { missing: "x-api-key header is required", wrong: "invalid x-api-key" },
};
