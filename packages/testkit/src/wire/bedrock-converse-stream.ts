import { readConversation } from "./bedrock-converse-stream/conversation.js";
import { eventMessage, exceptionMessage, renderTurn } from "./bedrock-converse-stream/events.js";
import { findProblems } from "./bedrock-converse-stream/problems.js";
import { bearerKey, type Wire } from "./wire.js";

const exceptions: Record<number, string> = {
  400: "ValidationException",
  401: "UnrecognizedClientException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

/** `POST /model/{id}/converse-stream`, answered in the binary event stream of AWS. Signatures are not verified. */
export const bedrockConverseStream: Wire = {
  api: "bedrock-converse-stream",
  keyOf: (headers) =>
    bearerKey(headers) ?? /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(headers["authorization"] ?? "")?.[1],
  modelOf: (_body, pathname) => decodeURIComponent(/\/model\/([^/]+)\//.exec(pathname)?.[1] ?? ""),
  readConversation,
  findProblems,
  renderTurn,
  responseHeaders: (requestId) => ({
    "content-type": "application/vnd.amazon.eventstream",
    "x-amzn-requestid": requestId,
  }),
  errorBody: ({ status, message, type }) => ({
    __type: type ?? exceptions[status] ?? "InternalServerException",
    message,
    // The same where clients of other APIs look for it.
    error: { message, type: type ?? exceptions[status] ?? "requests" },
  }),
  errorFrame: (message = "The system encountered an unexpected error.", type = "modelStreamErrorException") =>
    exceptionMessage(type, message),
  malformedFrame: eventMessage("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"te`),
  unauthorized: {
    missing: "Missing Authentication Token",
    wrong: "The security token included in the request is invalid.",
  },
};
