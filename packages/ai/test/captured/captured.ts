import { getApiProvider } from "../../src/api-registry.js";
import { normalizeContext } from "../../src/transcript/context.js";
import type { AssistantMessage, Context, Message, Model, SimpleStreamOptions, Tool } from "../../src/types.js";
import { keyFor } from "../all-apis.js";

/** What the tests of recorded requests share: a conversation, and a look at what is sent for it. */

export const SYS = "You are helpful.";
export const SID = "0198c0de-0000-7000-8000-000000000000";
export const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
export const strictForm = { ...parameters, additionalProperties: false };
export const strict = { type: "json_schema", strict: "prefer" } as const;
export const tools: Tool[] = [{ name: "read", description: "Reads", parameters, constrainedSampling: strict }];
export const ENOENT = "ENOENT: no such file or directory, access 'missing.txt'";

export function model(api: string, overrides: Partial<Model> = {}): Model {
  return {
    id: "m",
    name: "M",
    api,
    provider: "p",
    baseUrl: "http://127.0.0.1:9",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 16_384,
    ...overrides,
  };
}

export interface Sent {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  payload: Record<string, unknown>;
  message: AssistantMessage;
}

/** What is sent; the answer does not matter. */
export async function sent(
  target: Model,
  messages: Message[],
  options: SimpleStreamOptions & { location?: string } = {},
  how: "streamSimple" | "stream" = "streamSimple",
  context: Partial<Context> = {},
): Promise<Sent> {
  const provider = getApiProvider(target.api);
  if (!provider) throw new Error(`no provider for ${target.api}`);
  const result: Partial<Sent> = {};
  result.message = await provider[how](target, normalizeContext({ systemPrompt: SYS, messages, tools, ...context }), {
    apiKey: keyFor(target.api),
    sessionId: SID,
    onPayload: (payload: unknown) => {
      result.payload = payload as Record<string, unknown>;
    },
    fetch: async (url: unknown, init?: RequestInit) => {
      result.url = String(url);
      result.headers = init?.headers as Record<string, string>;
      const { body } = init ?? {};
      result.body = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array));
      return new Response("", { status: 400 });
    },
    ...options,
  }).result();
  return result as Sent;
}

export const hi: Message = { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 };
export const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }], timestamp: 9 });

export function answer(
  from: Model,
  content: AssistantMessage["content"],
  overrides: Partial<AssistantMessage> = {},
): Message {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content,
    api: from.api,
    provider: from.provider,
    model: from.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason: "toolUse",
    timestamp: 2,
    ...overrides,
  };
}

export function result(toolCallId: string, text: string, isError = false): Extract<Message, { role: "toolResult" }> {
  const content = [{ type: "text" as const, text }];
  return { role: "toolResult", toolCallId, toolName: "read", content, isError, timestamp: 3 };
}

export const SIGNATURE = "c2lnMQ==";
export const image = [
  { type: "text" as const, text: "Read image file [image/png]" },
  { type: "image" as const, data: "aW1n", mimeType: "image/png" },
];

/** "pondering", "Hello", two calls and their results, as `from` stored them. */
export function twoCalls(
  from: Model,
  ids: [string, string],
  signatures: { thinking?: string; text?: string; call?: string },
): Message[] {
  const [first, second] = ids;
  const call = (id: string, path: string, thoughtSignature?: string) => ({
    type: "toolCall" as const,
    id,
    name: "read",
    arguments: { path },
    ...(thoughtSignature ? { thoughtSignature } : {}),
  });
  return [
    hi,
    answer(from, [
      {
        type: "thinking",
        thinking: "pondering",
        ...(signatures.thinking ? { thinkingSignature: signatures.thinking } : {}),
      },
      { type: "text", text: "Hello", ...(signatures.text ? { textSignature: signatures.text } : {}) },
      call(first, "a.txt", signatures.call),
      call(second, "missing.txt"),
    ]),
    result(first, "file a\n"),
    result(second, ENOENT, true),
  ];
}
