import { crc32 } from "node:zlib";
import type { ScriptedUsage } from "../../types.js";
import { pieces, type SseEvent } from "../sse.js";
import type { RenderContext, ResolvedBlock, ResolvedTurn } from "../turn.js";

const stopReasons: Record<string, string> = {
  stop: "end_turn",
  length: "max_tokens",
  toolUse: "tool_use",
  refusal: "guardrail_intervened",
};

export function* renderTurn(turn: ResolvedTurn, context: RenderContext): Generator<SseEvent> {
  const event = (type: string, data: object): SseEvent => ({ frame: eventMessage(type, JSON.stringify(data)) });
  yield event("messageStart", { role: "assistant" });
  for (const [contentBlockIndex, block] of turn.blocks.entries()) {
    if (block.type === "toolCall") {
      const toolUse = { toolUseId: block.id ?? context.ids.next("tooluse_"), name: block.name };
      yield event("contentBlockStart", { contentBlockIndex, start: { toolUse } });
    }
    for (const delta of deltas(block, turn.deltaSize, context)) {
      yield event("contentBlockDelta", { contentBlockIndex, delta });
    }
    yield event("contentBlockStop", { contentBlockIndex });
  }
  const stopReason = stopReasons[turn.stopReason] ?? turn.stopReason;
  yield { ...event("messageStop", { stopReason }), terminal: true };
  yield { ...event("metadata", { usage: usageOf(turn.usage), metrics: { latencyMs: 1 } }), terminal: true };
}

function* deltas(block: ResolvedBlock, size: number, context: RenderContext): Generator<object> {
  switch (block.type) {
    case "text":
      for (const { text } of pieces(block.text, size)) yield { text };
      return;
    case "thinking": {
      for (const { text } of pieces(block.text, size)) yield { reasoningContent: { text } };
      const signature = block.signature ?? context.ids.nextSignature();
      context.issue(signature, block.text);
      yield { reasoningContent: { signature } };
      return;
    }
    case "redactedThinking":
      yield { reasoningContent: { redactedContent: Buffer.from(block.data).toString("base64") } };
      return;
    case "toolCall":
      for (const { text } of pieces(block.argumentsText, size)) yield { toolUse: { input: text } };
  }
}

function usageOf(usage: Required<ScriptedUsage>): object {
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output + cacheRead + cacheWrite,
    ...(cacheRead > 0 ? { cacheReadInputTokens: cacheRead } : {}),
    ...(cacheWrite > 0 ? { cacheWriteInputTokens: cacheWrite } : {}),
  };
}

export function eventMessage(type: string, payload: string): Uint8Array {
  return message({ ":event-type": type, ":content-type": "application/json", ":message-type": "event" }, payload);
}

export function exceptionMessage(type: string, text: string): Uint8Array {
  const headers = { ":exception-type": type, ":content-type": "application/json", ":message-type": "exception" };
  return message(headers, JSON.stringify({ message: text }));
}

const preludeLength = 12;
const checksumLength = 4;
const stringHeader = 7;

/**
 * A message of the event stream: lengths of all and of the headers, a checksum of these, headers, payload, and a
 * checksum of everything before it.
 */
function message(headers: Record<string, string>, payload: string): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const result = Buffer.alloc(preludeLength + head.length + body.length + checksumLength);
  result.writeUInt32BE(result.length, 0);
  result.writeUInt32BE(head.length, 4);
  result.writeUInt32BE(crc32(result.subarray(0, 8)), 8);
  head.copy(result, preludeLength);
  body.copy(result, preludeLength + head.length);
  const end = result.length - checksumLength;
  result.writeUInt32BE(crc32(result.subarray(0, end)), end);
  return result;
}

function header(name: string, value: string): Buffer {
  const key = Buffer.from(name);
  const text = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([stringHeader]), length, text]);
}
