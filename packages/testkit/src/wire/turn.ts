import type { IdSource } from "../ids.js";
import type { ScriptedBlock, ScriptedStopReason, ScriptedTurn, ScriptedUsage } from "../types.js";

export type ResolvedBlock =
  | Exclude<ScriptedBlock, { type: "toolCall" }>
  | { type: "toolCall"; id: string | undefined; name: string; argumentsText: string; signature?: string };

/** A scripted turn with all defaults filled in that do not depend on the wire format. */
export interface ResolvedTurn {
  blocks: ResolvedBlock[];
  stopReason: ScriptedStopReason;
  usage: Required<ScriptedUsage>;
  deltaSize: number;
  model: string;
  responseId: string | undefined;
}

/** What a renderer knows about the request it answers. */
export interface RenderContext {
  body: Record<string, unknown>;
  /** The model asked for, whatever model the answer claims to come from. */
  model: string;
  ids: IdSource;
  /** Called when a signature goes out. With `text`, it vouches for that text only. */
  issue(signature: string, text?: string): void;
  /** Responses API: `itemId` may come back only behind `reasoningId`. */
  bind(itemId: string, reasoningId: string): void;
  /** Unix time in seconds. */
  createdAt: number;
}

const charactersPerToken = 4;

export function resolveTurn(turn: ScriptedTurn, requestedModel: string, requestLength: number): ResolvedTurn {
  const blocks = (turn.blocks ?? []).map(resolveBlock);
  const callsTools = blocks.some((block) => block.type === "toolCall");
  return {
    blocks,
    stopReason: turn.stopReason ?? (callsTools ? "toolUse" : "stop"),
    usage: turn.usage === undefined ? estimateUsage(blocks, requestLength) : { ...noUsage, ...turn.usage },
    deltaSize: turn.deltaSize ?? 24,
    model: turn.model ?? requestedModel,
    responseId: turn.responseId,
  };
}

const noUsage: Required<ScriptedUsage> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function resolveBlock(block: ScriptedBlock): ResolvedBlock {
  if (block.type !== "toolCall") return block;
  const { id, name, signature } = block;
  const argumentsText = typeof block.arguments === "string" ? block.arguments : JSON.stringify(block.arguments);
  return { type: "toolCall", id, name, argumentsText, ...(signature === undefined ? {} : { signature }) };
}

function estimateUsage(blocks: ResolvedBlock[], requestLength: number): Required<ScriptedUsage> {
  const tokens = (length: number) => Math.ceil(length / charactersPerToken);
  let output = 1;
  let reasoning = 0;
  for (const block of blocks) {
    const count = tokens(blockLength(block));
    output += count;
    if (block.type === "thinking") reasoning += count;
  }
  return { ...noUsage, input: tokens(requestLength), output, reasoning };
}

function blockLength(block: ResolvedBlock): number {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text.length;
    case "redactedThinking":
      return block.data.length;
    case "toolCall":
      return block.name.length + block.argumentsText.length;
  }
}
