import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders } from "../identity.js";
import { isObject } from "../json/objects.js";
import type { Model, TranscriptContext } from "../types.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { codexAccountId } from "./openai-codex-responses/codex-account.js";
import { codexErrorText, isUsageLimit, streamedLimitText } from "./openai-codex-responses/codex-error-text.js";
import type { OpenAICodexResponsesOptions } from "./openai-codex-responses/codex-options.js";
import { codexBody, codexSession, codexUrl } from "./openai-codex-responses/codex-request.js";
import { overSocket } from "./openai-codex-responses/codex-socket.js";
import { canCompress, compressed } from "./openai-codex-responses/zstd.js";
import { responsesCompat } from "./openai-responses/responses-compat.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import { responsesEntryPoints } from "./openai-responses/responses-entry.js";
import { responsesGrammars } from "./openai-responses/responses-request.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";

/** The Responses API of ChatGPT's backend, for subscriptions. Wire format: llm-wire.md section 5. */

export const { stream, streamSimple } = responsesEntryPoints<OpenAICodexResponsesOptions>(start);

function start(
  model: Model,
  context: TranscriptContext,
  options: OpenAICodexResponsesOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const token = requireApiKey(model, options);
  const url = (): string => codexUrl(requestUrl(model, "", options?.env));
  return runRequest(model, options, thinking, {
    url,
    headers: () => requestHeaders(model, options, token, HTTP_HEADERS),
    body: () => codexBody(model, context, options),
    encode: (payload) => compressed(JSON.stringify(payload)),
    detour: async (body, builder) => {
      if (!isObject(body)) return undefined;
      const headers = requestHeaders(model, options, token, SOCKET_HEADERS);
      return overSocket({ url: url(), headers, body, model, context, options: options ?? {}, builder });
    },
    decoder: (builder) =>
      new ResponsesDecoder(builder, model, {
        describeError: (error) => streamedLimitText(error, Date.now()),
        grammars: responsesGrammars(context, responsesCompat(model)),
      }),
    describeStatus: (error) => codexErrorText(error, Date.now()),
    http: {
      backoffMs: (attempt) => 1000 * 2 ** (attempt - 1),
      mayRetry: (error) => !isUsageLimit(error),
    },
  });
}

const HTTP_HEADERS = {
  accept: "text/event-stream",
  "content-type": "application/json",
  "OpenAI-Beta": "responses=experimental",
  ...(canCompress ? { "content-encoding": "zstd" } : {}),
};
const SOCKET_HEADERS = { "OpenAI-Beta": "responses_websockets=2026-02-06" };

function requestHeaders(
  model: Model,
  options: OpenAICodexResponsesOptions | undefined,
  token: string,
  ofTransport: Record<string, string>,
): Record<string, string> {
  const session = codexSession(options);
  return mergeHeaders(
    { ...ofTransport, originator: "pi" },
    token === ""
      ? {}
      : { authorization: `Bearer ${token}`, "chatgpt-account-id": codexAccountId(token, model.provider) },
    session === undefined ? {} : { "session-id": session, "x-client-request-id": session },
    getIdentityHeaders(model, options?.identity),
    model.headers,
    options?.headers,
  );
}
