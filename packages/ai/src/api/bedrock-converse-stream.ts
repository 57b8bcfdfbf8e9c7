import type { AssistantMessageBuilder } from "../assistant-message-builder.js";
import type { AssistantMessageEventStream } from "../event-stream.js";
import { HttpAbortError, type HttpResponse, type HttpStatusError } from "../http.js";
import type { Model, TranscriptContext } from "../types.js";
import { AwsEventStreamParser } from "./bedrock/aws-event-stream.js";
import { type BedrockExchange, openBedrock } from "./bedrock/bedrock-client.js";
import { BedrockDecoder } from "./bedrock/bedrock-decoder.js";
import { bedrockErrorText } from "./bedrock/bedrock-error-text.js";
import { bedrockEvent } from "./bedrock/bedrock-event.js";
import type { BedrockOptions } from "./bedrock/bedrock-options.js";
import { bedrockEffort, bedrockInput } from "./bedrock/bedrock-request.js";
import { bedrockTarget } from "./bedrock/bedrock-target.js";
import { entryPoints } from "./entry-points.js";
import { type RequestedThinking, runCourse } from "./run-request.js";
import { unlessAborted } from "./unless-aborted.js";

/** ConverseStream of Amazon Bedrock. Wire format: llm-wire.md section 9. */

export const { stream, streamSimple } = entryPoints<BedrockOptions>({
  own: (base, options) => ({
    ...base.options,
    reasoning: base.reasoning,
    thinkingBudgets: options?.thinkingBudgets,
    toolChoice: options?.toolChoice,
  }),
  providerLevel: (model, options) => bedrockEffort(model, options.reasoning),
  start: (model, context, options = {}, thinking) => start(model, context, options, thinking),
});

function start(
  model: Model,
  context: TranscriptContext,
  options: BedrockOptions,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  let refusal: HttpStatusError | undefined;
  const follow = async (builder: AssistantMessageBuilder): Promise<void> => {
    const target = bedrockTarget(model, options);
    const input = bedrockInput(model, context, options, target.region);
    const replacement = await options.onPayload?.(input, model);
    const exchange = await unlessAborted(openBedrock(model, options, target), options.signal);
    try {
      await converse(
        model,
        options,
        exchange,
        replacement === undefined ? input : (replacement as typeof input),
        builder,
      );
    } catch (error) {
      refusal = exchange.refusal();
      throw error;
    } finally {
      exchange.client.destroy();
    }
  };
  return runCourse(model, options, thinking, follow, (error) => bedrockErrorText(error, refusal));
}

async function converse(
  model: Model,
  options: BedrockOptions,
  exchange: BedrockExchange,
  input: ReturnType<typeof bedrockInput>,
  builder: AssistantMessageBuilder,
): Promise<void> {
  const { ConverseStreamCommand } = await import("./bedrock/aws-sdk.js");
  const { signal } = options;
  const sending = exchange.client.send(new ConverseStreamCommand(input), signal ? { abortSignal: signal } : {});
  // The waits between the attempts of the SDK do not end with the signal.
  const { $metadata } = await unlessAborted(sending, signal);
  const response = exchange.response();
  if (!response) throw new Error("Bedrock gave no answer");
  try {
    if ($metadata.requestId !== undefined) builder.message.responseId = $metadata.requestId;
    await options.onResponse?.({ status: response.status, headers: response.headers }, model);
    await decode(model, options, response, new BedrockDecoder(builder));
    response.finish();
  } catch (error) {
    response.close();
    throw error;
  }
}

async function decode(
  model: Model,
  { signal, onProviderStreamEvent }: BedrockOptions,
  response: HttpResponse,
  decoder: BedrockDecoder,
): Promise<void> {
  const parser = new AwsEventStreamParser();
  for (;;) {
    const piece = await response.read();
    if (piece === undefined) break;
    for (const message of parser.push(piece)) {
      // Events that were already received must not outrun an abort.
      if (signal?.aborted) throw new HttpAbortError();
      const event = bedrockEvent(message);
      if (onProviderStreamEvent) await onProviderStreamEvent(event, model);
      decoder.take(event);
    }
  }
  decoder.finish();
}
