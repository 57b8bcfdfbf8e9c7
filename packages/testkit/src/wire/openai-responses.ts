import { stringOf } from "./json.js";
import { openAiErrorBody, openAiHeaders, openAiUnauthorized } from "./openai-errors.js";
import { readConversation } from "./openai-responses/conversation.js";
import { renderTurn } from "./openai-responses/events.js";
import { findProblems } from "./openai-responses/problems.js";
import { namedEvent } from "./sse.js";
import { bearerKey, type Wire } from "./wire.js";

/** `POST /v1/responses`, streamed. */
export const openAiResponses: Wire = {
  api: "openai-responses",
  // Azure serves the same API under `?api-version=`, with a key header of its own.
  keyOf: (headers, query) => bearerKey(headers) ?? (query.has("api-version") ? headers["api-key"] : undefined),
  modelOf: (body) => stringOf(body["model"]),
  readConversation,
  findProblems,
  renderTurn,
  responseHeaders: openAiHeaders,
  errorBody: openAiErrorBody,
  errorFrame: (
    message = "An error occurred while processing your request. You can retry your request.",
    code = "server_error",
  ) => namedEvent("error", { type: "error", sequence_number: 0, code, message, param: null }),
  malformedFrame: `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":1,"del\n\n`,
  unauthorized: openAiUnauthorized,
};
