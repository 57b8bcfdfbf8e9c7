import { readConversation } from "./google-generative-ai/conversation.js";
import { googleEvent, renderTurn } from "./google-generative-ai/events.js";
import { findProblems } from "./google-generative-ai/problems.js";
import { bearerKey, type Wire, type WireError } from "./wire.js";

const statusWords: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const codeByWord = new Map(Object.entries(statusWords).map(([code, word]) => [word, Number(code)]));

function errorBody({ status, message, type }: WireError): object {
  return { error: { code: status, message, status: type ?? statusWords[status] ?? "UNKNOWN" } };
}

const missingKey =
  "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential.";

/** `POST /v1beta/models/{id}:streamGenerateContent?alt=sse` */
export const googleGenerativeAi: Wire = {
  api: "google-generative-ai",
  keyOf: (headers, query) => headers["x-goog-api-key"] || query.get("key") || bearerKey(headers),
  modelOf: (_body, pathname) => decodeURIComponent(/\/models\/([^/:]+):/.exec(pathname)?.[1] ?? ""),
  readConversation,
  findProblems,
  renderTurn,
  responseHeaders: () => ({ "server-timing": "gfet4t7; dur=1", vary: "Origin, X-Origin, Referer" }),
  errorBody,
  errorFrame: (message = "The model is overloaded. Please try again later.", type = "UNAVAILABLE") =>
    googleEvent(errorBody({ status: codeByWord.get(type) ?? 500, message, type })),
  malformedFrame: `data: {"candidates": [{"content": {"parts": [{"te\r\n\r\n`,
  unauthorized: { missing: missingKey, wrong: "API key not valid. Please pass a valid API key." },
};
