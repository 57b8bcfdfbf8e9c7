import type { AgentMessage, StreamFn } from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  AssistantMessageEventStream,
  fauxAssistantMessage,
  type Model,
  type Usage,
} from "@earendil-works/pi-ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../session-store/entries.js";
import { runCompaction } from "./compact.js";
import { findCutPoint } from "./cut-point.js";
import { prepareCompaction } from "./prepare.js";
import { serializeConversation } from "./serialize.js";
import { summarizeHistory } from "./summarize.js";
import { estimateContextTokens, estimateTokens } from "./tokens.js";
import { shouldCompact } from "./trigger.js";
import { DEFAULT_COMPACTION_SETTINGS } from "./types.js";

const usage = (totalTokens: number): Usage => ({
  input: totalTokens,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
});
const user = (text: string): AgentMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
const assistant = (text: string, extra: Partial<AssistantMessage> = {}): AgentMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "x",
  provider: "p",
  model: "m",
  usage: usage(0),
  stopReason: "stop",
  timestamp: 1,
  ...extra,
});
const call = (id: string, name: string, args: object): AgentMessage =>
  assistant("", {
    content: [{ type: "toolCall", id, name, arguments: args as Record<string, never> }],
    stopReason: "toolUse",
  });
const result = (id: string, text: string): AgentMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 1,
});
const system: AgentMessage = { role: "system", content: "", sections: { rules: "r".repeat(4000) }, timestamp: 1 };

/** A branch of these messages; other entries are taken as they are. */
function branchOf(...items: (AgentMessage | Partial<SessionEntry>)[]): SessionEntry[] {
  let parentId: string | null = null;
  return items.map((item, index) => {
    const id = `e${index}`;
    const base = { id, parentId, timestamp: new Date(1_700_000_000_000 + index).toISOString() };
    parentId = id;
    return ("role" in item ? { type: "message", message: item, ...base } : { ...base, ...item }) as SessionEntry;
  });
}
const settings = (keepRecentTokens: number) => ({ ...DEFAULT_COMPACTION_SETTINGS, keepRecentTokens });
const texts = (messages: readonly AgentMessage[]) =>
  messages.map((message) =>
    "content" in message && Array.isArray(message.content)
      ? (message.content[0] as { text?: string })?.text
      : message.role,
  );

describe("token estimates (sessions.md section 5)", () => {
  it.each<[string, AgentMessage, number]>([
    ["text", user("12345"), 2],
    ["an image", { role: "user", content: [{ type: "image", data: "x", mimeType: "image/png" }], timestamp: 1 }, 1200],
    [
      "text, thinking, call",
      assistant("", {
        content: [
          { type: "text", text: "ab" },
          { type: "thinking", thinking: "cd" },
          { type: "toolCall", id: "1", name: "ls", arguments: {} },
        ],
      }),
      2,
    ],
    [
      "a command",
      {
        role: "bashExecution",
        command: "ls",
        output: "abcdef",
        exitCode: 0,
        cancelled: false,
        truncated: false,
        timestamp: 1,
      },
      2,
    ],
    ["a summary", { role: "compactionSummary", summary: "12345678", tokensBefore: 1, timestamp: 1 }, 2],
    [
      "sections without removed ones",
      { role: "system", content: "ab", sections: { a: "cd", b: null }, timestamp: 1 },
      1,
    ],
  ])("%s", (_name, message, tokens) => {
    expect(estimateTokens(message)).toBe(tokens);
  });

  it("the last good answer tells the rest", () => {
    const messages = [
      user("a"),
      assistant("b", { usage: usage(100) }),
      assistant("x", { usage: usage(7), stopReason: "error" }),
      user("12345678"),
    ];
    expect(estimateContextTokens(messages)).toEqual({
      tokens: 103,
      usageTokens: 100,
      trailingTokens: 3,
      lastUsageIndex: 1,
    });
    expect(estimateContextTokens([user("1234")])).toEqual({
      tokens: 1,
      usageTokens: 0,
      trailingTokens: 1,
      lastUsageIndex: null,
    });
  });

  it.each([
    [100_001, 116_384, true],
    [100_001, 116_385, false],
    [100_000, 116_384, false],
  ])("%d of %d tokens: %s", (tokens, window, expected) => {
    expect(shouldCompact(tokens, window, {})).toBe(expected);
    expect(shouldCompact(tokens, window, { enabled: false })).toBe(false);
  });
});

describe("what is cut (sessions.md section 5, Preparation)", () => {
  it("keeps the newest turns up to the budget", () => {
    const entries = branchOf(
      system,
      user("a".repeat(400)),
      assistant("b".repeat(400)),
      user("c".repeat(400)),
      assistant("d".repeat(400)),
    );
    const plan = prepareCompaction(entries, settings(150));
    expect(plan).toMatchObject({ firstKeptEntryId: "e3", isSplitTurn: false, turnPrefixMessages: [] });
    expect(texts(plan.messagesToSummarize)).toEqual(["a".repeat(400), "b".repeat(400)]);
  });

  it("never begins with a tool result, and splits a long turn", () => {
    const entries = branchOf(
      user("old"),
      assistant("done"),
      user("go"),
      call("1", "read", { path: "a.ts" }),
      result("1", "x".repeat(4000)),
      call("2", "edit", { path: "b.ts" }),
      result("2", "y".repeat(400)),
      assistant("end"),
    );
    const plan = prepareCompaction(entries, settings(120));
    expect(plan).toMatchObject({ firstKeptEntryId: "e5", isSplitTurn: true });
    expect(texts(plan.messagesToSummarize)).toEqual(["old", "done"]);
    expect(plan.turnPrefixMessages[0]).toMatchObject({ role: "user" });
    expect([...plan.fileOps.read, ...plan.fileOps.edited]).toEqual(["a.ts"]);
  });

  it("takes bookkeeping before the cut along", () => {
    const entries = branchOf(
      user("a".repeat(400)),
      assistant("b"),
      { type: "model_change", provider: "p", modelId: "m" },
      user("c".repeat(400)),
      assistant("d"),
    );
    expect(prepareCompaction(entries, settings(100))).toMatchObject({ firstKeptEntryId: "e2", isSplitTurn: false });
  });

  it("after an overflow it does not keep the prompt that did not fit", () => {
    const entries = branchOf(
      user("first"),
      assistant("answer"),
      user("x".repeat(4000)),
      assistant("", { stopReason: "error", errorMessage: "prompt is too long", content: [] }),
      { type: "context_edit", targetId: "e3", replacement: null },
    );
    const plan = prepareCompaction(entries, settings(500));
    expect(plan).toMatchObject({ firstKeptEntryId: "e3", isSplitTurn: true });
    expect(texts(plan.messagesToSummarize)).toEqual(["first", "answer"]);
    expect(texts(plan.turnPrefixMessages)).toEqual(["x".repeat(4000)]);
  });

  it("after an overflow a message that cannot be kept is summarised, not found too small", () => {
    const failed = assistant("", { stopReason: "error" });
    const hidden = (targetId: string) => ({ type: "context_edit", targetId, replacement: null }) as const;
    const entries = branchOf(user("x".repeat(4000)), failed, hidden("e1"), user("hello"), failed, hidden("e4"));
    expect(() => prepareCompaction(entries, settings(500))).toThrow("Nothing to compact (session too small)");
    const plan = prepareCompaction(entries, settings(500), { isTooLong: true });
    expect(plan.messagesToSummarize).toEqual([user("x".repeat(4000))]);
    expect(plan.firstKeptEntryId).toBe("e1");
  });

  it("a message that is longer than what can be kept is not kept", () => {
    const entries = branchOf(user("old"), assistant("a"), user("x".repeat(8000)), assistant("b"), user("hello"));
    expect(prepareCompaction(entries, settings(500)).firstKeptEntryId).toBe("e2");
    expect(prepareCompaction(entries, settings(500), { mostKept: 1000 })).toMatchObject({
      firstKeptEntryId: "e3",
      isSplitTurn: true,
    });
  });

  it("goes on from the summary before", () => {
    const entries = branchOf(
      user("old"),
      assistant("older"),
      user("kept".repeat(100)),
      {
        type: "compaction",
        summary: "S1",
        firstKeptEntryId: "e2",
        tokensBefore: 9,
        details: { readFiles: ["r.ts"], modifiedFiles: ["m.ts"] },
      },
      assistant("new"),
      user("z".repeat(400)),
      assistant("last"),
    );
    const plan = prepareCompaction(entries, settings(90));
    expect(plan).toMatchObject({ previousSummary: "S1", firstKeptEntryId: "e5" });
    expect(texts(plan.messagesToSummarize)).toEqual(["kept".repeat(100), "new"]);
    expect([...plan.fileOps.read, ...plan.fileOps.edited]).toEqual(["r.ts", "m.ts"]);
  });

  it.each<[string, SessionEntry[], string]>([
    ["an empty session", branchOf(), "Nothing to compact (session too small)"],
    ["one short turn", branchOf(system, user("a"), assistant("b")), "Nothing to compact (session too small)"],
    [
      "a fresh summary",
      branchOf(user("a"), { type: "compaction", summary: "S", firstKeptEntryId: "e0", tokensBefore: 1 }),
      "Already compacted",
    ],
  ])("%s: nothing", (_name, entries, message) => {
    expect(() => prepareCompaction(entries, settings(20_000))).toThrow(message);
  });

  it("kept and summarised parts are the whole, whatever the conversation (generated)", () => {
    const kinds = fc.array(
      fc.tuple(fc.constantFrom("user", "assistant", "call", "note"), fc.integer({ min: 0, max: 300 })),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(kinds, fc.integer({ min: 1, max: 400 }), (list, keep) => {
        const items = list.flatMap(([kind, size], index): (AgentMessage | Partial<SessionEntry>)[] => {
          if (kind === "user") return [user("u".repeat(size + 1))];
          if (kind === "note") return [{ type: "custom", customType: "n" }];
          if (kind === "assistant") return [assistant("a".repeat(size + 1))];
          return [call(`c${index}`, "read", { path: "p" }), result(`c${index}`, "r".repeat(size + 1))];
        });
        const entries = branchOf(...items);
        const { firstKeptEntryIndex, turnStartIndex, isSplitTurn } = findCutPoint(entries, 0, entries.length, keep);
        const first = entries.slice(firstKeptEntryIndex).find((entry) => entry.type === "message");
        expect(first?.type === "message" ? first.message.role : "user").not.toBe("toolResult");
        expect(isSplitTurn).toBe(turnStartIndex >= 0);
        if (isSplitTurn) expect(turnStartIndex).toBeLessThan(firstKeptEntryIndex);
        let plan: ReturnType<typeof prepareCompaction>;
        try {
          plan = prepareCompaction(entries, settings(keep));
        } catch {
          return;
        }
        const kept = entries
          .slice(entries.findIndex(({ id }) => id === plan.firstKeptEntryId))
          .flatMap((entry) => (entry.type === "message" ? entry.message : []));
        const all = entries.flatMap((entry) => (entry.type === "message" ? entry.message : []));
        expect([...plan.messagesToSummarize, ...plan.turnPrefixMessages, ...kept]).toEqual(all);
      }),
    );
  });
});

it("the text of a conversation", () => {
  expect(
    serializeConversation([
      { role: "user", content: "hello", timestamp: 1 },
      {
        ...(call("1", "read", { path: "a", limit: 2 }) as AssistantMessage),
        content: [
          { type: "thinking", thinking: "no" },
          { type: "text", text: "I read." },
          { type: "toolCall", id: "1", name: "read", arguments: { path: "a", limit: 2 } },
        ],
      },
      {
        role: "toolResult",
        toolCallId: "1",
        toolName: "read",
        content: [{ type: "text", text: "z".repeat(2010) }],
        isError: false,
        timestamp: 1,
      },
    ]),
  ).toBe(
    `[User]: hello\n\n[Assistant]: I read.\n\n[Assistant tool calls]: read(path="a", limit=2)\n\n[Tool result]: ${"z".repeat(2000)}\n\n[... 10 more characters truncated]`,
  );
});

const model = {
  id: "m",
  provider: "p",
  api: "x",
  contextWindow: 1000,
  maxTokens: 100,
  reasoning: false,
} as unknown as Model;

/** A model that answers prompts up to `limit` characters with `S<n>`. */
function summariser(limit: number) {
  const prompts: string[] = [];
  const streamFn: StreamFn = (_model, { messages }) => {
    const [block] = (messages.at(-1)?.content ?? []) as { text: string }[];
    const prompt = block?.text ?? "";
    prompts.push(prompt);
    const stream = new AssistantMessageEventStream();
    const message =
      prompt.length > limit
        ? fauxAssistantMessage("", { stopReason: "error", errorMessage: "prompt is too long: 2 tokens > 1 maximum" })
        : { ...fauxAssistantMessage(`S${prompts.length}`), usage: usage(10) };
    queueMicrotask(() =>
      stream.push(
        message.stopReason === "error"
          ? { type: "error", reason: "error", error: message }
          : { type: "done", reason: "stop", message },
      ),
    );
    return stream;
  };
  return { prompts, streamFn };
}

/** What of the conversation was in prompts that fitted. */
function answeredParts(prompts: readonly string[], limit: number): (string | undefined)[] {
  return prompts
    .filter((prompt) => prompt.length <= limit)
    .map((prompt) => /<conversation>\n([\s\S]*)\n<\/conversation>/.exec(prompt)?.[1]);
}

describe("summary requests", () => {
  it("a conversation that does not fit is summarised in parts, each on top of the one before", async () => {
    const { prompts, streamFn } = summariser(6000);
    const { text, usage: spent } = await summarizeHistory([user("a".repeat(7000)), user("b".repeat(1000))], {
      model,
      streamFn,
    });
    expect(prompts[0]).toContain("b".repeat(1000));
    expect(text).toBe(`S${prompts.length}`);
    expect(prompts.at(-1)).toContain("<previous-summary>\nS");
    // Nothing is left out.
    const answered = answeredParts(prompts, 6000);
    expect(answered.join("")).toBe(`[User]: ${"a".repeat(7000)}\n\n[User]: ${"b".repeat(1000)}`);
    expect(spent.totalTokens).toBe(10 * answered.length);
  });

  it.each([
    [2, 6000],
    [9, 6000],
    [40, 6000],
    [40, 2600],
  ])("a message of %i windows ends in one summary (prompts up to %i characters)", async (windows, limit) => {
    const { prompts, streamFn } = summariser(limit);
    const long = `begin ${"x".repeat(windows * 4000)} end`;
    const { text } = await summarizeHistory([user("first words"), user(long), user("last words")], { model, streamFn });
    expect(prompts.length).toBeLessThanOrEqual(8);
    const seen = answeredParts(prompts, limit).join("");
    for (const part of ["first words", "begin ", " end", "last words"]) expect(seen).toContain(part);
    if (windows < 9) return;
    expect(seen).toMatch(/\[\.\.\. \d+ characters left out: too long to summarise\]/);
    expect(text).toMatch(
      /^S\d\n\n\(\d+ characters of the conversation were too long to be summarised and are left out\.\)$/,
    );
  });

  it("a model whose window nobody knows as well", async () => {
    const { prompts, streamFn } = summariser(6000);
    const unknown = { ...model, contextWindow: 0 };
    await summarizeHistory([user("a".repeat(400_000))], { model: unknown, streamFn });
    expect(prompts.length).toBeLessThanOrEqual(8);
  });

  it("ends after a fixed number of requests", async () => {
    const { prompts, streamFn } = summariser(0);
    await expect(summarizeHistory([user("a".repeat(100_000))], { model, streamFn })).rejects.toThrow(
      /^Summarization failed: /,
    );
    expect(prompts.length).toBeLessThanOrEqual(8);
  });

  it("history and the beginning of a turn are put together, with the files", async () => {
    const { prompts, streamFn } = summariser(1e6);
    const entries = branchOf(
      user("old"),
      assistant("done"),
      user("go"),
      call("1", "write", { path: "w.ts" }),
      result("1", "x".repeat(400)),
      assistant("end"),
    );
    const plan = prepareCompaction(entries, settings(1));
    const {
      summary,
      details,
      usage: spent,
    } = await runCompaction(plan, { model, streamFn, customInstructions: "the files" });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("the files");
    expect(summary).toBe(
      "S1\n\n---\n\n# Beginning of the current turn\n\nS2\n\n<modified-files>\nw.ts\n</modified-files>",
    );
    expect(details).toEqual({ readFiles: [], modifiedFiles: ["w.ts"] });
    expect(spent).toMatchObject({ totalTokens: 20, cost: { total: 1 } });
  });

  it.each<[Partial<AssistantMessage>, string]>([
    [{ stopReason: "length" }, "Summarization failed: generation hit the token cap and the summary is incomplete"],
    [{ stopReason: "error", errorMessage: "boom" }, "Summarization failed: boom"],
    [{ stopReason: "error" }, "Summarization failed: Unknown error"],
    [{ content: [{ type: "toolCall", id: "1", name: "ls", arguments: {} }] }, "Summarization attempted to call a tool"],
  ])("%j", async (answer, error) => {
    const streamFn: StreamFn = () => {
      const stream = new AssistantMessageEventStream();
      const message = { ...fauxAssistantMessage("text"), ...answer };
      queueMicrotask(() =>
        stream.push(
          message.stopReason === "error"
            ? { type: "error", reason: "error", error: message }
            : { type: "done", reason: "stop", message },
        ),
      );
      return stream;
    };
    await expect(summarizeHistory([user("a")], { model, streamFn })).rejects.toThrow(error);
  });
});
