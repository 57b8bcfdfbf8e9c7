import { expect, test } from "vitest";
import type { AssistantMessage, Message, Model, ToolResultMessage } from "../types.js";
import { transformMessages } from "./transform-messages.js";

/** Calls of tools that cannot exist: the conversation stays acceptable to every API. */

const own = { provider: "p", api: "openai-completions", id: "m", input: ["text"] } as unknown as Model;
const google = { ...own, api: "google-generative-ai" } as Model;

function replayed(name: unknown, model: Model, declared: string[] = []): unknown[] {
  const call = { type: "toolCall", id: "c", name, arguments: {} };
  const messages = [
    {
      role: "system",
      content: "",
      toolsAdded: declared.map((tool) => ({ name: tool, description: "", parameters: {} })),
      timestamp: 1,
    },
    {
      role: "assistant",
      provider: "p",
      api: "openai-completions",
      model: "m",
      content: [call],
      stopReason: "toolUse",
      timestamp: 2,
    },
    { role: "toolResult", toolCallId: "c", toolName: name, content: [], isError: true, timestamp: 3 },
  ] as unknown as Message[];
  const [, answer, result] = transformMessages(messages, model) as [Message, AssistantMessage, ToolResultMessage];
  const [block] = answer.content;
  return [block?.type === "toolCall" && block.name, result.toolName, result.toolCallId];
}

test.each<[unknown, string]>([
  ["read_file-2", "read_file-2"],
  ["", "unnamed_tool"],
  [undefined, "unnamed_tool"],
  [null, "unnamed_tool"],
  [5, "unnamed_tool"],
  ["ba sh\n\0é", "ba_sh___"],
  ["2fast", "_2fast"],
  ["x".repeat(700), "x".repeat(64)],
])("%j is sent as %j, with its result", (name, sent) => {
  for (const model of [own, google, { ...own, id: "other" } as Model]) {
    expect(replayed(name, model)).toEqual([sent, sent, "c"]);
  }
});

test("tools that there are keep their names", () => {
  expect(replayed("a.b:c", own)).toEqual(["a_b_c", "a_b_c", "c"]);
  expect(replayed("a.b:c", own, ["a.b:c"])).toEqual(["a.b:c", "a.b:c", "c"]);
  expect(replayed("a.b:c", google)).toEqual(["a.b:c", "a.b:c", "c"]);
});
