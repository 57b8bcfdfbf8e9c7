/**
 * Messages of session files, made fit for the context: files are written by other programs too, and edited by hand.
 * What is well formed comes back as the same object. Pure.
 */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Usage } from "@earendil-works/pi-ai";

type Json = Record<string, unknown>;
/** What a JSON value is. */
export type Kind = "string" | "number" | "boolean" | "object" | "array";

/** Members of content blocks: those that must be there, and those that may. */
export const BLOCK_SHAPES: Readonly<
  Record<string, { required: Record<string, Kind>; optional: Record<string, Kind> }>
> = {
  text: { required: { text: "string" }, optional: { textSignature: "string" } },
  image: { required: { data: "string", mimeType: "string" }, optional: {} },
  thinking: { required: { thinking: "string" }, optional: { thinkingSignature: "string", redacted: "boolean" } },
  toolCall: {
    required: { id: "string", name: "string" },
    optional: { thoughtSignature: "string", namespace: "string", argumentsError: "string" },
  },
};
/** Blocks of who speaks to the model. */
export const TOLD_BLOCKS = ["text", "image"];
/** Blocks of its answers. */
export const ANSWERED_BLOCKS = ["text", "thinking", "toolCall"];

export const STOP_REASONS: readonly unknown[] = [
  "pending",
  "stop",
  "length",
  "toolUse",
  "error",
  "aborted",
  "deferred",
];
/** Members of answers that may be there. */
export const OPTIONAL_OF_ANSWERS: Readonly<Record<string, Kind>> = {
  responseModel: "string",
  responseId: "string",
  providerThinkingLevel: "string",
  thinkingLevel: "string",
  diagnostics: "array",
  deferred: "object",
  errorMessage: "string",
  rawStopReason: "string",
  endTurn: "boolean",
  durationMs: "number",
};

/**
 * The message, with defaults for members that are missing or of another type; undefined when it cannot be one.
 * @param timestamp of its entry, for a message without one; unix time in ms
 */
export function repairedMessage(value: unknown, timestamp: number): AgentMessage | undefined {
  if (!isRecord(value) || typeof value["role"] !== "string") return undefined;
  const repaired = repairedRecord(value, numberOr(value["timestamp"], timestamp));
  return repaired as AgentMessage | undefined;
}

/** Unix time in ms of an ISO text; 0 when it is none. */
export function timeOf(timestamp: unknown): number {
  return (typeof timestamp === "string" && Date.parse(timestamp)) || 0;
}

/** Every figure a number: what is missing counts as nothing. */
export function repairedUsage(value: unknown): Usage {
  const usage = isRecord(value) ? value : {};
  const cost = isRecord(usage["cost"]) ? usage["cost"] : {};
  const number = (of: Json, name: string) => numberOr(of[name], 0);
  const tokens = {
    input: number(usage, "input"),
    output: number(usage, "output"),
    cacheRead: number(usage, "cacheRead"),
    cacheWrite: number(usage, "cacheWrite"),
  };
  return laidOver(usage, {
    ...tokens,
    totalTokens: numberOr(
      usage["totalTokens"],
      Object.values(tokens).reduce((sum, count) => sum + count),
    ),
    ...optional(usage, { cacheWrite1h: "number", reasoning: "number" }),
    cost: laidOver(cost, {
      input: number(cost, "input"),
      output: number(cost, "output"),
      cacheRead: number(cost, "cacheRead"),
      cacheWrite: number(cost, "cacheWrite"),
      total: number(cost, "total"),
    }),
  }) as unknown as Usage;
}

function repairedRecord(message: Json, timestamp: number): Json | undefined {
  const { role, content } = message;
  const text = (name: string) => stringOr(message[name], "");
  switch (role) {
    case "system":
      return laidOver(message, {
        content: typeof content === "string" ? content : Array.isArray(content) ? blocks(content, ["text"]) : "",
        ...("sections" in message && { sections: sectionsOf(message["sections"]) }),
        ...("toolsAdded" in message && { toolsAdded: itemsOf(message["toolsAdded"], isTool) }),
        ...("toolsRemoved" in message && { toolsRemoved: itemsOf(message["toolsRemoved"], isNamed) }),
        timestamp,
      });
    case "user":
      return laidOver(message, {
        content: typeof content === "string" ? content : blocks(content, TOLD_BLOCKS),
        timestamp,
      });
    case "custom":
      return laidOver(message, {
        customType: text("customType"),
        content: typeof content === "string" ? content : blocks(content, TOLD_BLOCKS),
        display: message["display"] === true,
        timestamp,
      });
    case "assistant": {
      const { stopReason } = message;
      return laidOver(message, {
        content: blocks(content, ANSWERED_BLOCKS),
        api: text("api"),
        provider: text("provider"),
        model: text("model"),
        usage: repairedUsage(message["usage"]),
        stopReason: STOP_REASONS.includes(stopReason) ? stopReason : "stop",
        timestamp,
        ...optional(message, OPTIONAL_OF_ANSWERS),
      });
    }
    case "toolResult":
      // Without the call it answers, no provider takes it.
      if (typeof message["toolCallId"] !== "string") return undefined;
      return laidOver(message, {
        toolName: text("toolName"),
        content: blocks(content, TOLD_BLOCKS),
        isError: message["isError"] === true,
        timestamp,
        ...("usage" in message && { usage: repairedUsage(message["usage"]) }),
        ...optional(message, { nestedCalls: "object", durationMs: "number" }),
      });
    case "bashExecution":
      return laidOver(message, {
        command: text("command"),
        output: text("output"),
        cancelled: message["cancelled"] === true,
        truncated: message["truncated"] === true,
        timestamp,
        ...optional(message, { exitCode: "number", fullOutputPath: "string" }),
      });
    case "branchSummary":
    case "compactionSummary":
      return laidOver(message, { summary: text("summary"), timestamp });
    default:
      return message;
  }
}

/** The blocks of the types that can stand there; the others are left out. A text alone is one block. */
function blocks(content: unknown, types: readonly string[]): unknown[] {
  if (typeof content === "string" && content !== "") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  const fitting = content.flatMap((block: unknown) => {
    if (!isRecord(block) || typeof block["type"] !== "string" || !types.includes(block["type"])) return [];
    const shape = BLOCK_SHAPES[block["type"]];
    if (!shape || Object.entries(shape.required).some(([name, kind]) => kindOf(block[name]) !== kind)) return [];
    const members: Json = optional(block, shape.optional);
    if (block["type"] === "toolCall") members["arguments"] = isRecord(block["arguments"]) ? block["arguments"] : {};
    return [laidOver(block, members)];
  });
  return sameOr(content, fitting);
}

function sectionsOf(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  const fitting = entries.filter(([, text]) => text === null || typeof text === "string");
  return fitting.length === entries.length ? value : Object.fromEntries(fitting);
}

function itemsOf(value: unknown, fits: (item: unknown) => boolean): unknown {
  return Array.isArray(value) ? sameOr(value, value.filter(fits)) : undefined;
}

function isNamed(value: unknown): value is Json {
  return isRecord(value) && typeof value["name"] === "string";
}

function isTool(value: unknown): boolean {
  return isNamed(value) && typeof value["description"] === "string" && isRecord(value["parameters"]);
}

/** Members of another type, to be taken out. */
function optional(value: Json, kinds: Readonly<Record<string, Kind>>): Json {
  const wrong: Json = {};
  for (const [name, kind] of Object.entries(kinds)) {
    if (value[name] !== undefined && kindOf(value[name]) !== kind) wrong[name] = undefined;
  }
  return wrong;
}

/** The value with these members; undefined takes one out. The value itself when it has them already. */
function laidOver(value: Json, members: Json): Json {
  if (Object.entries(members).every(([name, member]) => value[name] === member)) return value;
  return Object.fromEntries(Object.entries({ ...value, ...members }).filter(([, member]) => member !== undefined));
}

function sameOr(given: readonly unknown[], items: unknown[]): unknown[] {
  const isSame = given.length === items.length && given.every((item, index) => item === items[index]);
  return isSame ? (given as unknown[]) : items;
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function isRecord(value: unknown): value is Json {
  return kindOf(value) === "object";
}
