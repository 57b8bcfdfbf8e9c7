import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropicBody } from "../api/anthropic/anthropic-request.js";
import { bedrockMessages } from "../api/bedrock/bedrock-messages.js";
import { googleContents } from "../api/google/google-contents.js";
import { emptyUsage } from "../models/cost.js";
import type { AssistantMessage, Message, Model } from "../types.js";
import { toTranscript } from "./context.js";

type Wire = { role: string; content?: Record<string, unknown>[] | string; parts?: unknown[] };

const base = {
  name: "M",
  provider: "p",
  baseUrl: "",
  reasoning: true,
  input: ["text" as const],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};
const claude: Model = { ...base, id: "anthropic.claude-x", api: "anthropic-messages" };
const onBedrock: Model = { ...base, id: "anthropic.claude-x", api: "bedrock-converse-stream" };
const gemini: Model = { ...base, id: "gemini-3-pro", api: "google-generative-ai" };
const onVertex: Model = { ...base, id: "gemini-3-pro", api: "google-vertex" };

const apis: [string, Model, (messages: Message[], model: Model) => Wire[]][] = [
  ["Anthropic", claude, (messages, model) => anthropicBody(model, toTranscript(messages))["messages"] as Wire[]],
  ["Bedrock", onBedrock, (messages, model) => bedrockMessages(messages, model) as unknown as Wire[]],
  ["Google", gemini, (messages, model) => googleContents(messages, model) as unknown as Wire[]],
  ["Vertex", onVertex, (messages, model) => googleContents(messages, model) as unknown as Wire[]],
];

const block = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.constantFrom("", " ", "words") }),
  fc.record(
    {
      type: fc.constant("thinking" as const),
      thinking: fc.constantFrom("", "hm"),
      thinkingSignature: fc.constantFrom("", "c2ln"),
      redacted: fc.boolean(),
    },
    { requiredKeys: ["type", "thinking"] },
  ),
  fc.record({
    type: fc.constant("toolCall" as const),
    id: fc.constantFrom("a", "b", "c"),
    name: fc.constant("tool"),
    arguments: fc.constant({}),
  }),
);

/** Whatever a conversation may have been cut to, as this model and others wrote it. */
const conversation = (model: Model) =>
  fc.array(
    fc.oneof(
      fc.constantFrom("", "words").map((content): Message => ({ role: "user", content, timestamp: 1 })),
      fc
        .record({
          content: fc.array(block, { maxLength: 4 }),
          isOwn: fc.boolean(),
          stop: fc.constantFrom("stop", "length"),
        })
        .map(
          ({ content, isOwn, stop }): Message => ({
            role: "assistant",
            content,
            api: model.api,
            provider: isOwn ? model.provider : "another",
            model: model.id,
            usage: emptyUsage(),
            stopReason: stop as AssistantMessage["stopReason"],
            timestamp: 2,
          }),
        ),
      fc.constantFrom("a", "b", "c").map(
        (toolCallId): Message => ({
          role: "toolResult",
          toolCallId,
          toolName: "tool",
          content: [{ type: "text", text: "out" }],
          isError: false,
          timestamp: 3,
        }),
      ),
    ),
    { maxLength: 8 },
  );

const isThinking = (part: Record<string, unknown>) =>
  /thinking/.test(String(part["type"])) || part["reasoningContent"] !== undefined;

describe.each(apis)("any conversation, sent to %s", (name, model, wireOf) => {
  it("begins with a message of the user, and no answer ends with thinking", () => {
    fc.assert(
      fc.property(conversation(model), (messages) => {
        const wire = wireOf(messages, model);
        if (wire.length > 0) expect(wire[0]?.role).toBe("user");
        for (const { role, content, parts } of wire) {
          expect((content ?? parts)?.length).toBeGreaterThan(0);
          const last = role === "assistant" && Array.isArray(content) ? content.at(-1) : undefined;
          if (last && name !== "Google") expect(isThinking(last)).toBe(false);
        }
      }),
    );
  });

  it("one that needs no opening has none", () => {
    const [first] = wireOf([{ role: "user", content: "hello", timestamp: 1 }], model);
    expect(JSON.stringify(first)).toContain("hello");
    expect(wireOf([{ role: "user", content: "hello", timestamp: 1 }], model)).toHaveLength(1);
  });
});
