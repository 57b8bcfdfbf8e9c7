import type { ScriptedStopReason, ScriptedUsage } from "../../types.js";
import { namedEvent, pieces, type SseEvent } from "../sse.js";
import type { RenderContext, ResolvedBlock, ResolvedTurn } from "../turn.js";

const stopReasons: Record<string, string> = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
};

export function* renderTurn(turn: ResolvedTurn, context: RenderContext): Generator<SseEvent> {
  yield event({
    type: "message_start",
    message: {
      model: turn.model,
      id: turn.responseId ?? context.ids.next("msg_01"),
      type: "message",
      role: "assistant",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(turn.usage), output_tokens: 1, service_tier: "standard" },
    },
  });
  let index = 0;
  for (const block of turn.blocks) {
    yield event({ type: "content_block_start", index, content_block: opening(block, context) });
    if (index === 0) yield event({ type: "ping" });
    yield* deltas(block, index, turn.deltaSize, context);
    yield event({ type: "content_block_stop", index });
    index += 1;
  }
  yield event({
    type: "message_delta",
    delta: {
      stop_reason: stopReasons[turn.stopReason] ?? turn.stopReason,
      stop_sequence: null,
      ...details(turn.stopReason),
    },
    usage: outputUsage(turn.usage),
  });
  yield { ...event({ type: "message_stop" }), terminal: true };
}

function event(data: { type: string } & Record<string, unknown>): SseEvent {
  return { frame: namedEvent(data.type, data) };
}

function details(stopReason: ScriptedStopReason): object {
  return stopReason === "refusal" ? { stop_details: { type: "refusal", category: null, explanation: null } } : {};
}

function opening(block: ResolvedBlock, context: RenderContext): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "redactedThinking":
      context.issue(block.data);
      return { type: "redacted_thinking", data: block.data };
    case "toolCall":
      return { type: "tool_use", id: block.id ?? context.ids.next("toolu_01"), name: block.name, input: {} };
  }
}

function* deltas(block: ResolvedBlock, index: number, size: number, context: RenderContext): Generator<SseEvent> {
  const delta = (data: object) => event({ type: "content_block_delta", index, delta: data });
  switch (block.type) {
    case "text":
      for (const { text } of pieces(block.text, size)) yield delta({ type: "text_delta", text });
      return;
    case "thinking": {
      for (const { text } of pieces(block.text, size)) yield delta({ type: "thinking_delta", thinking: text });
      const signature = block.signature ?? context.ids.nextSignature();
      context.issue(signature, block.text);
      yield delta({ type: "signature_delta", signature });
      return;
    }
    case "redactedThinking":
      return;
    case "toolCall":
      // The real stream opens every tool input with an empty fragment.
      yield delta({ type: "input_json_delta", partial_json: "" });
      for (const { text } of pieces(block.argumentsText, size)) {
        yield delta({ type: "input_json_delta", partial_json: text });
      }
      return;
  }
}

function inputUsage(usage: Required<ScriptedUsage>): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
  };
}

function outputUsage(usage: Required<ScriptedUsage>): object {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
    ...(usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
  };
}
