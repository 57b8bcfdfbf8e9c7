import type { ScriptedUsage } from "../../types.js";
import type { JsonObject } from "../json.js";
import { dataEvent, pieces, type SseEvent } from "../sse.js";
import type { RenderContext, ResolvedBlock, ResolvedTurn } from "../turn.js";

const finishReasons: Record<string, string> = {
  stop: "stop",
  length: "length",
  toolUse: "tool_calls",
  refusal: "error",
};

export function* renderTurn(turn: ResolvedTurn, context: RenderContext): Generator<SseEvent> {
  const envelope = {
    id: turn.responseId ?? context.ids.next(""),
    object: "chat.completion.chunk",
    created: context.createdAt,
    model: turn.model,
  };
  const chunk = (delta: object, finish: string | null = null, more: object = {}): SseEvent => ({
    frame: dataEvent({ ...envelope, choices: [{ index: 0, delta, finish_reason: finish }], ...more }),
  });
  yield chunk({ role: "assistant", content: "" });
  // Once an answer has thinking, all of it comes in chunks of content.
  const chunked = turn.blocks.some((block) => block.type === "thinking");
  let callIndex = 0;
  for (const block of turn.blocks) {
    for (const delta of deltas(block, callIndex, turn.deltaSize, chunked, context)) yield chunk(delta);
    if (block.type === "toolCall") callIndex += 1;
  }
  const finish = finishReasons[turn.stopReason] ?? turn.stopReason;
  yield { ...chunk({ content: "" }, finish, { usage: usageOf(turn.usage) }), terminal: true };
  yield { frame: "data: [DONE]\n\n", terminal: true };
}

function* deltas(
  block: ResolvedBlock,
  index: number,
  size: number,
  chunked: boolean,
  context: RenderContext,
): Generator<JsonObject> {
  switch (block.type) {
    case "text":
      for (const { text } of pieces(block.text, size)) {
        yield { content: chunked ? [{ type: "text", text }] : text };
      }
      return;
    case "thinking":
      for (const { text } of pieces(block.text, size)) {
        yield { content: [{ type: "thinking", thinking: [{ type: "text", text }] }] };
      }
      return;
    case "redactedThinking":
      return;
    case "toolCall": {
      // Calls come whole, under ids of nine letters and digits whatever the script calls them.
      const id = (block.id ?? context.ids.next(""))
        .replace(/[^a-zA-Z0-9]/g, "")
        .slice(-9)
        .padEnd(9, "0");
      yield {
        tool_calls: [{ id, type: "function", function: { name: block.name, arguments: block.argumentsText }, index }],
      };
    }
  }
}

function usageOf(usage: Required<ScriptedUsage>): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
}
