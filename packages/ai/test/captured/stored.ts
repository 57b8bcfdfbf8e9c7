import type { AssistantMessage, Message, Model, SimpleStreamOptions, Tool } from "../../src/types.js";
import {
  ENOENT,
  hi,
  tools as oneTool,
  parameters,
  answer as plainAnswer,
  model as plainModel,
  sent as plainSent,
  result,
  type Sent,
  strict,
} from "./captured.js";

/** The conversations of llm-wire.md sections 2, 3, 6 and 12, as each API stores them. */

const write: Tool = { name: "write", description: "Writes", parameters, constrainedSampling: strict };
export const tools: Tool[] = [...oneTool, write];

const IDS: Record<string, string> = {
  "anthropic-messages": "claude-x",
  "openai-completions": "gpt-x",
  "openai-responses": "gpt-r",
};
const PROVIDERS: Record<string, string> = {
  "anthropic-messages": "anth",
  "openai-completions": "comp",
  "openai-responses": "resp",
};

/** The model of an API, as the reference was asked. */
export function model(api: string, overrides: Partial<Model> = {}): Model {
  return plainModel(api, { id: IDS[api] ?? "m", provider: PROVIDERS[api] ?? "p", ...overrides });
}

export function answer(
  api: string,
  content: AssistantMessage["content"],
  overrides: Partial<AssistantMessage> = {},
): Message {
  return plainAnswer(model(api), content, overrides);
}

/** What is sent for a conversation with two tools. */
export function sent(target: Model, messages: Message[], options: SimpleStreamOptions = {}): Promise<Sent> {
  return plainSent(target, messages, options, "streamSimple", { tools });
}

export const REASONING = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "pondering" }],
  encrypted_content: "ENC",
};

/** "pondering", "Hello", two calls, as each API stores it, and the results. */
export function twoCalls(api: string): Message[] {
  const [first, second] = {
    "anthropic-messages": ["toolu_t1", "toolu_t2"],
    "openai-completions": ["call_t1", "call_t2"],
    "openai-responses": ["call_t1|fc_t1", "call_t2|fc_t2"],
  }[api] as [string, string];
  const signature = {
    "anthropic-messages": "c2lnMQ==",
    "openai-completions": "reasoning_content",
    "openai-responses": JSON.stringify(REASONING),
  }[api] as string;
  return [
    hi,
    answer(api, [
      { type: "thinking", thinking: "pondering", thinkingSignature: signature },
      api === "openai-responses"
        ? { type: "text", text: "Hello", textSignature: '{"v":1,"id":"msg_a"}' }
        : { type: "text", text: "Hello" },
      { type: "toolCall", id: first, name: "read", arguments: { path: "a.txt" } },
      { type: "toolCall", id: second, name: "read", arguments: { path: "missing.txt" } },
    ]),
    result(first, "file a\n"),
    result(second, ENOENT, true),
  ];
}

export const ephemeral = { type: "ephemeral" };
