import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders } from "../identity.js";
import type { Model, TranscriptContext } from "../types.js";
import { azureUrl } from "./azure-openai-responses/azure-address.js";
import type { AzureOpenAIResponsesOptions } from "./azure-openai-responses/azure-options.js";
import { azureBody } from "./azure-openai-responses/azure-request.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { openAIErrorText } from "./openai-error-text.js";
import { responsesCompat } from "./openai-responses/responses-compat.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import { responsesEntryPoints } from "./openai-responses/responses-entry.js";
import { responsesGrammars } from "./openai-responses/responses-request.js";
import { type RequestedThinking, runRequest } from "./run-request.js";

/** The Responses API of Azure OpenAI. Wire format: llm-wire.md section 4. */

export const { stream, streamSimple } = responsesEntryPoints<AzureOpenAIResponsesOptions>(start);

function start(
  model: Model,
  context: TranscriptContext,
  options: AzureOpenAIResponsesOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const apiKey = requireApiKey(model, options);
  return runRequest(model, options, thinking, {
    url: () => azureUrl(model, options),
    headers: () =>
      mergeHeaders(
        { accept: "application/json", "content-type": "application/json" },
        apiKey === "" ? {} : { "api-key": apiKey },
        getIdentityHeaders(model, options?.identity),
        model.headers,
        options?.headers,
      ),
    body: () => azureBody(model, context, options),
    decoder: (builder) =>
      new ResponsesDecoder(builder, model, { grammars: responsesGrammars(context, responsesCompat(model)) }),
    describeStatus: (error) => openAIErrorText(error, "Azure OpenAI API error"),
  });
}
