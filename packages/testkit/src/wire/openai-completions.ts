import { stringOf } from "./json.js";
import { readConversation } from "./openai-completions/conversation.js";
import { renderTurn } from "./openai-completions/events.js";
import { findProblems } from "./openai-completions/problems.js";
import { openAiErrorBody, openAiHeaders, openAiUnauthorized } from "./openai-errors.js";
import { dataEvent } from "./sse.js";
import { bearerKey, type Wire } from "./wire.js";

/** `POST /v1/chat/completions`, as OpenAI and its many imitators speak it. */
export const openAiCompletions: Wire = {
  api: "openai-completions",
  keyOf: bearerKey,
  modelOf: (body) => stringOf(body["model"]),
  readConversation,
  findProblems,
  renderTurn,
  responseHeaders: openAiHeaders,
  errorBody: openAiErrorBody,
  errorFrame: (
    message = "The server had an error while processing your request. Sorry about that!",
    type = "server_error",
  ) => dataEvent({ error: { message, type, param: null, code: null } }),
  malformedFrame: `data: {"id":"chatcmpl-malformed","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"cont\n\n`,
  unauthorized: openAiUnauthorized,
};
