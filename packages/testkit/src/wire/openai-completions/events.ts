import type { ScriptedUsage } from "../../types.js";
import { type JsonObject, objectOf, objectsOf } from "../json.js";
import { dataEvent, pieces, type SseEvent } from "../sse.js";
import type { RenderContext, ResolvedBlock, ResolvedTurn } from "../turn.js";

const finishReasons: Record<string, string> = {
  stop: "stop",
  length: "length",
  toolUse: "tool_calls",
  refusal: "content_filter",
};

/** Fields that compatible providers use for readable reasoning. OpenAI itself sends none. */
const reasoningFields = new Set(["reasoning_content", "reasoning", "reasoning_text"]);

export function* renderTurn(turn: ResolvedTurn, context: RenderContext): Generator<SseEvent> {
  const withUsage = objectOf(context.body["stream_options"])["include_usage"] === true;
  const envelope = {
    id: turn.responseId ?? context.ids.next("chatcmpl-"),
    object: "chat.completion.chunk",
    created: context.createdAt,
    model: turn.model,
    service_tier: "default",
    system_fingerprint: "fp_scripted",
  };
  const chunk = (delta: object, finishReason: string | null = null): SseEvent => ({
    frame: dataEvent({
      ...envelope,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      // With include_usage every chunk has the field; only the last one fills it.
      ...(withUsage ? { usage: null } : {}),
    }),
  });

  const hasText = turn.blocks.some((block) => block.type === "text");
  yield chunk({ role: "assistant", content: hasText ? "" : null, refusal: null });
  let callIndex = 0;
  for (const block of turn.blocks) {
    for (const delta of deltas(block, callIndex, turn.deltaSize, context)) yield chunk(delta);
    if (block.type === "toolCall") callIndex += 1;
  }
  yield { ...chunk({}, finishReasons[turn.stopReason] ?? turn.stopReason), terminal: true };
  if (withUsage) yield { frame: dataEvent({ ...envelope, choices: [], usage: usageOf(turn.usage) }), terminal: true };
  yield { frame: "data: [DONE]\n\n", terminal: true };
}

function* deltas(block: ResolvedBlock, index: number, size: number, context: RenderContext): Generator<JsonObject> {
  switch (block.type) {
    case "text":
      for (const { text } of pieces(block.text, size)) yield { content: text };
      return;
    case "thinking":
      yield* reasoningDeltas(block.text, block.signature, size);
      return;
    case "redactedThinking":
      return;
    case "toolCall": {
      const id = block.id ?? context.ids.next("call_");
      if (isCustom(block.name, context)) {
        yield { tool_calls: [{ index, id, type: "custom", custom: { name: block.name, input: "" } }] };
        for (const { text } of pieces(block.argumentsText, size)) {
          yield { tool_calls: [{ index, custom: { input: text } }] };
        }
        return;
      }
      yield { tool_calls: [{ index, id, type: "function", function: { name: block.name, arguments: "" } }] };
      for (const { text } of pieces(block.argumentsText, size)) {
        yield { tool_calls: [{ index, function: { arguments: text } }] };
      }
    }
  }
}

/** Tools of a free form are called with bare text, which the script gives as the arguments text. */
function isCustom(name: string, { body }: RenderContext): boolean {
  return objectsOf(body["tools"]).some(
    (tool) => tool["type"] === "custom" && objectOf(tool["custom"])["name"] === name,
  );
}

function* reasoningDeltas(text: string, signature: string | undefined, size: number): Generator<JsonObject> {
  if (signature === undefined || reasoningFields.has(signature)) {
    for (const piece of pieces(text, size)) yield { [signature ?? "reasoning_content"]: piece.text };
    return;
  }
  const detail = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
  for (const piece of pieces(text, size)) {
    yield { reasoning: piece.text, reasoning_details: [{ ...detail, text: piece.text }] };
  }
  yield { reasoning_details: [{ ...detail, signature }] };
}

function usageOf(usage: Required<ScriptedUsage>): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: 0,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
