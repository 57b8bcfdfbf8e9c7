import type { ScriptedUsage } from "../../types.js";
import { type JsonObject, parsedObject } from "../json.js";
import { pieces, type SseEvent } from "../sse.js";
import type { RenderContext, ResolvedBlock, ResolvedTurn } from "../turn.js";
import { requiresThoughtSignatures } from "./models.js";

const finishReasons: Record<string, string> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  toolUse: "STOP",
  refusal: "SAFETY",
};

/** Google ends its SSE lines with CRLF. */
export function googleEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}

export function* renderTurn(turn: ResolvedTurn, context: RenderContext): Generator<SseEvent> {
  const usage = turn.usage;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const envelope = { modelVersion: turn.model, responseId: turn.responseId ?? context.ids.next("") };
  const chunk = (part: JsonObject): SseEvent => ({
    frame: googleEvent({
      candidates: [{ content: { parts: [part], role: "model" }, index: 0 }],
      usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt },
      ...envelope,
    }),
  });

  const signatures = new Signatures(context);
  for (const block of turn.blocks) {
    if (block.type === "toolCall" && parsedObject(block.argumentsText) === undefined) {
      yield finish("MALFORMED_FUNCTION_CALL", { finishMessage: `Malformed function call: ${block.argumentsText}` });
      return;
    }
    for (const part of partsOf(block, turn.deltaSize, signatures)) yield chunk(part);
  }
  yield finish(finishReasons[turn.stopReason] ?? turn.stopReason, {});

  function finish(finishReason: string, more: object): SseEvent {
    const last = { text: "", ...signatures.take() };
    return {
      frame: googleEvent({
        candidates: [{ content: { parts: [last], role: "model" }, finishReason, index: 0, ...more }],
        usageMetadata: usageOf(usage, prompt),
        ...envelope,
      }),
      terminal: true,
    };
  }
}

/**
 * The signature of a thought does not travel with the thought but with the next part: the function call, the last
 * piece of the text, or an empty text at the end. Models that demand signatures sign the first call in any case.
 */
class Signatures {
  readonly #context: RenderContext;
  #pending: string | undefined;
  #owesFirstCall: boolean;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#owesFirstCall = requiresThoughtSignatures(context.model);
  }

  think(signature: string | undefined): void {
    this.#pending = signature ?? this.#context.ids.nextSignature();
  }

  /** The field for the part that goes out now; `own` is what the script wants on it. */
  take(own?: string): JsonObject {
    const signature = own ?? this.#pending;
    this.#pending = undefined;
    if (signature === undefined) return {};
    this.#context.issue(signature);
    return { thoughtSignature: signature };
  }

  takeForCall(own?: string): JsonObject {
    if (this.#owesFirstCall) this.#pending ??= this.#context.ids.nextSignature();
    this.#owesFirstCall = false;
    return this.take(own);
  }
}

function* partsOf(block: ResolvedBlock, size: number, signatures: Signatures): Generator<JsonObject> {
  switch (block.type) {
    case "thinking":
      signatures.think(block.signature);
      for (const { text } of pieces(block.text, size)) yield { text, thought: true };
      return;
    case "text":
      if (block.text === "" && block.signature !== undefined) yield { text: "", ...signatures.take(block.signature) };
      for (const { text, last } of pieces(block.text, size)) {
        yield last ? { text, ...signatures.take(block.signature) } : { text };
      }
      return;
    case "toolCall": {
      const args = parsedObject(block.argumentsText) ?? {};
      const id = block.id === undefined ? {} : { id: block.id };
      yield { functionCall: { name: block.name, args, ...id }, ...signatures.takeForCall(block.signature) };
      return;
    }
    case "redactedThinking":
      return;
  }
}

function usageOf(usage: Required<ScriptedUsage>, prompt: number): object {
  const candidates = Math.max(0, usage.output - usage.reasoning);
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates + usage.reasoning,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  };
}
