import {
  type AssistantMessage,
  AssistantMessageEventStream,
  type Context,
  type Model,
  type ToolCall,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import type { AgentEvent, AgentTool, AgentToolResult, StreamFn } from "../src/index.js";

export const model: Model = {
  id: "m1",
  name: "M1",
  api: "x",
  provider: "m",
  baseUrl: "http://127.0.0.1:9",
  reasoning: true,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

export interface Answer {
  text?: string;
  calls?: { id: string; name: string; args?: Record<string, unknown> }[];
  stopReason?: AssistantMessage["stopReason"];
  errorMessage?: string;
  /** No `start` event: the request failed before. */
  withoutStart?: boolean;
  /** Awaited after the first delta; aborts end the answer. */
  hold?: Promise<void>;
}

/** A stream function that gives these answers in turn and records what it was asked. */
export function scriptedModel(answers: Answer[]): { streamFn: StreamFn; requests: TranscriptContext[] } {
  const requests: TranscriptContext[] = [];
  const rest = [...answers];
  const streamFn: StreamFn = (_model, context, options) => {
    requests.push(structuredClone(context) as Context as TranscriptContext);
    const answer = rest.shift();
    if (!answer) throw new Error("script exhausted");
    return play(answer, options?.signal);
  };
  return { streamFn, requests };
}

function play(answer: Answer, signal: AbortSignal | undefined): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  const { text = "", calls = [] } = answer;
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: "x",
    provider: "m",
    model: "m1",
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "pending",
    timestamp: Date.now(),
  };
  const run = async () => {
    if (!answer.withoutStart) {
      stream.push({ type: "start", partial: message });
      if (text) {
        const block = { type: "text" as const, text: "" };
        message.content.push(block);
        stream.push({ type: "text_start", contentIndex: 0, partial: message });
        block.text += text;
        stream.push({ type: "text_delta", contentIndex: 0, delta: text, partial: message });
        await answer.hold;
        stream.push({ type: "text_end", contentIndex: 0, content: text, partial: message });
      }
      for (const { id, name, args = {} } of calls) {
        const contentIndex = message.content.length;
        const toolCall: ToolCall = { type: "toolCall", id, name, arguments: args };
        message.content.push(toolCall);
        stream.push({ type: "toolcall_start", contentIndex, partial: message });
        stream.push({ type: "toolcall_end", contentIndex, toolCall, partial: message });
      }
    }
    const reason = signal?.aborted ? "aborted" : (answer.stopReason ?? (calls.length > 0 ? "toolUse" : "stop"));
    message.stopReason = reason;
    if (reason === "aborted" || reason === "error") {
      message.errorMessage = answer.errorMessage ?? (reason === "aborted" ? "Request was aborted" : "failed");
      stream.push({ type: "error", reason, error: message });
    } else {
      stream.push({ type: "done", reason: reason as "stop", message });
    }
  };
  void run();
  return stream;
}

export interface FakeToolOptions {
  run?: (
    args: Record<string, unknown>,
    signal: AbortSignal | undefined,
    update: (text: string) => void,
  ) => Promise<string>;
  executionMode?: "sequential" | "parallel";
  terminate?: boolean;
}

/** A tool that answers with its name. */
export function fakeTool(name: string, { run, executionMode, terminate }: FakeToolOptions = {}): AgentTool {
  return {
    name,
    label: name,
    description: name,
    parameters: { type: "object", properties: { n: { type: "number" } }, additionalProperties: true },
    ...(executionMode && { executionMode }),
    async execute(_id, params, signal, onUpdate): Promise<AgentToolResult> {
      const textResult = (text: string): AgentToolResult => ({ content: [{ type: "text", text }], details: undefined });
      const update = (text: string) => onUpdate?.(textResult(text));
      const text = run ? await run(params as Record<string, unknown>, signal, update) : name;
      return { ...textResult(text), ...(terminate && { terminate }) };
    },
  };
}

/** Events in the short notation of agent-and-tools.md section A6. */
export function shorthand(events: readonly AgentEvent[]): string {
  const words: string[] = [];
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as AgentEvent;
    const next = events[index + 1];
    switch (event.type) {
      case "message_start":
        if (next?.type === "message_end") {
          words.push(`m(${roleOf(event.message)})`);
          index++;
        } else {
          words.push(`start(${roleOf(event.message)})`);
        }
        break;
      case "message_update":
        if (words.at(-1) !== "updates") words.push("updates");
        break;
      case "message_end":
        words.push(`end(${roleOf(event.message)})`);
        break;
      case "tool_execution_start":
        words.push(`tes(${event.toolCallId})`);
        break;
      case "tool_execution_update":
        words.push(`upd(${event.toolCallId})`);
        break;
      case "tool_execution_end":
        words.push(`tee(${event.toolCallId}${event.isError ? ":error" : ""})`);
        break;
      case "turn_end":
        words.push(`turn_end{${event.toolResults.length}}`);
        break;
      case "agent_end":
        words.push(`agent_end{${event.messages.length}}`);
        break;
      default:
        words.push(event.type);
    }
  }
  return words.join(" ");
}

function roleOf(message: { role: string; stopReason?: string; content?: unknown }): string {
  if (message.role === "user") {
    const content = message.content as string | { text: string }[];
    return typeof content === "string" ? content : (content[0]?.text ?? "");
  }
  if (message.role !== "assistant") return message.role;
  const { stopReason } = message;
  return stopReason === "aborted" || stopReason === "error" ? `a:${stopReason}` : "a";
}

export function user(text: string) {
  return { role: "user" as const, content: [{ type: "text" as const, text }], timestamp: 1 };
}

export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
