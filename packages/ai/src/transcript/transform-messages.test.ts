import { describe, expect, test } from "vitest";
import { emptyUsage } from "../models/cost.js";
import type { AssistantMessage, Message, Model, ToolResultMessage } from "../types.js";
import { transformMessages } from "./transform-messages.js";

const model: Model = {
  id: "m",
  name: "M",
  api: "x",
  provider: "p",
  baseUrl: "",
  reasoning: true,
  input: ["text", "image"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};
const blind: Model = { ...model, input: ["text"] };
const user = (text: string): Message => ({ role: "user", content: text, timestamp: 1 });
function assistant(content: AssistantMessage["content"], overrides: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "x",
    provider: "p",
    model: "m",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 2,
    ...overrides,
  };
}
const result = (toolCallId: string, content: ToolResultMessage["content"] = []): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "t",
  content,
  isError: false,
  timestamp: 3,
});
const call = (id: string) => ({ type: "toolCall" as const, id, name: "t", arguments: {} });
const text = (value: string) => ({ type: "text" as const, text: value });
const image = { type: "image" as const, data: "x", mimeType: "image/png" };
const shape = (messages: Message[]): string[] =>
  messages.map((message) => (message.role === "toolResult" ? `result ${message.toolCallId}` : message.role));

describe("images for a model that cannot see them", () => {
  test("become one placeholder per run", () => {
    const [first, , second] = transformMessages(
      [
        { role: "user", content: [image, image, text("a"), image], timestamp: 1 },
        assistant([call("1")]),
        result("1", [image, image]),
      ],
      blind,
    );
    const omitted = text("(image omitted: model does not support images)");
    expect(first?.content).toEqual([omitted, text("a"), omitted]);
    expect(second?.content).toEqual([text("(tool image omitted: model does not support images)")]);
  });
  test("stay for others", () => {
    const message: Message = { role: "user", content: [image], timestamp: 1 };
    expect(transformMessages([message], model)).toEqual([message]);
  });
});

describe("assistant blocks", () => {
  const content: AssistantMessage["content"] = [
    { type: "thinking", thinking: "signed", thinkingSignature: "s" },
    { type: "thinking", thinking: "", thinkingSignature: "s" },
    { type: "thinking", thinking: "bare" },
    { type: "thinking", thinking: "  " },
    { type: "thinking", thinking: "", redacted: true },
    { type: "text", text: "t", textSignature: "id" },
    { ...call("1|2"), thoughtSignature: "g" },
  ];
  test("of the same model", () => {
    const [message] = transformMessages([assistant(content)], model);
    expect(message?.content).toEqual(content.filter((block) => block.type !== "thinking" || block.thinking !== "  "));
  });
  test.each([{ model: "n" }, { api: "y" }, { provider: "q" }])("of another one: %j", (other) => {
    const [message, answer] = transformMessages([assistant(content, other), result("1|2")], model, (id) =>
      id.replace("|", "_"),
    );
    expect(message?.content).toEqual([text("t"), call("1_2")]);
    expect(answer).toMatchObject({ toolCallId: "1_2" });
  });
  test("missing content counts as empty", () => {
    const broken = { ...assistant([]), content: null } as unknown as AssistantMessage;
    expect(transformMessages([broken, { ...user(""), content: undefined } as unknown as Message], model)).toEqual([
      { ...broken, content: [] },
      { ...user(""), content: [] },
    ]);
  });
});

describe("turns", () => {
  test.each(["error", "aborted"] as const)(
    "an answer that ended with %s is left out, with its results",
    (stopReason) => {
      const messages = [user("A"), assistant([call("1")], { stopReason }), result("1"), user("B")];
      expect(shape(transformMessages(messages, model))).toEqual(["user", "user"]);
      const again = [...messages, assistant([call("1")]), result("1")];
      expect(shape(transformMessages(again, model))).toEqual(["user", "user", "assistant", "result 1"]);
    },
  );
  test("missing results are made up where they belong", () => {
    const messages = [assistant([call("1"), call("2")]), result("2"), user("B"), assistant([call("3")])];
    const transformed = transformMessages(messages, model);
    expect(shape(transformed)).toEqual(["assistant", "result 2", "result 1", "user", "assistant", "result 3"]);
    expect(transformed[2]).toMatchObject({ content: [text("No result provided")], isError: true, toolName: "t" });
  });
  test("results without a call, and second ones, are left out", () => {
    const messages = [result("0"), user("A"), assistant([call("1")]), result("9"), result("1"), result("1"), user("B")];
    expect(shape(transformMessages(messages, model))).toEqual(["user", "assistant", "result 1", "user"]);
  });
  test("a result that came late goes to its call", () => {
    const messages = [assistant([call("1"), call("2")]), result("1"), user("B"), result("2"), assistant([])];
    const transformed = transformMessages(messages, model);
    expect(shape(transformed)).toEqual(["assistant", "result 1", "result 2", "user", "assistant"]);
    expect(transformed[2]).toEqual(result("2"));
  });
  test("system messages wait until after the results", () => {
    const system: Message = { role: "system", content: "s", timestamp: 3 };
    const messages = [assistant([call("1"), call("2")]), system, result("1"), system, result("2"), user("B")];
    expect(shape(transformMessages(messages, model))).toEqual([
      "assistant",
      "result 1",
      "result 2",
      "system",
      "system",
      "user",
    ]);
  });
});

test("unpaired surrogates are dropped from texts, not from arguments", () => {
  const bad = "a\ud83db\ude00😀";
  const args = { x: bad };
  const [first, second, third] = transformMessages(
    [user(bad), assistant([text(bad), { ...call("1"), arguments: args }]), result("1", [text(bad)])],
    model,
  );
  expect(first?.content).toBe("ab😀");
  expect(second?.content).toMatchObject([{ text: "ab😀" }, { arguments: args }]);
  expect(third?.content).toEqual([text("ab😀")]);
});

test("missing and repeated call ids are replaced with those of their results, the same way in each request", () => {
  const session = [
    assistant([call("a"), call("a"), call("")]),
    result("a", [text("1")]),
    result("a", [text("2")]),
    result("", [text("3")]),
    user("next"),
    assistant([call("a")]),
    result("a", [text("4")]),
  ];
  const idsOf = (messages: Message[]) =>
    messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
  const perAnswer = idsOf(transformMessages(session, model));
  expect(perAnswer).toEqual(["a", expect.stringMatching(/^[a-z0-9]{9}$/), expect.stringMatching(/^[a-z0-9]{9}$/), "a"]);
  const transformed = transformMessages(session, model, undefined, { unique: "conversation" });
  const sent = idsOf(transformed);
  expect(new Set(sent).size).toBe(4);
  expect(transformed[0]?.content).toMatchObject(sent.slice(0, 3).map((id) => ({ id })));
  expect(transformed[5]?.content).toMatchObject([{ id: sent[3] }]);
  expect(transformMessages(session.slice(0, 4), model, undefined, { unique: "conversation" })).toEqual(
    transformed.slice(0, 4),
  );
});
