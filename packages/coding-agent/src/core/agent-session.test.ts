import fs, { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  fauxAssistantMessage,
  fauxProvider,
  fauxToolCall,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../test/temporary-folder.js";
import { textOf } from "./agent-session/transcript-texts.js";
import type { AgentSession } from "./agent-session.js";
import type { AgentSessionEvent } from "./agent-session-events.js";
import { ModelRuntime } from "./models/model-runtime.js";
import { createAgentSession } from "./sdk.js";
import { SessionManager } from "./session-manager.js";
import { SettingsManager } from "./settings/settings-manager.js";

let folder: string;
inTemporaryFolder("pi-session-", (path) => {
  folder = path;
});
let session: AgentSession;
let events: AgentSessionEvent[];
let faux: ReturnType<typeof fauxProvider>;

beforeEach(async () => {
  faux = fauxProvider({ provider: "f", models: [{ id: "m", contextWindow: 4000, maxTokens: 1000 }] });
  await open(SessionManager.inMemory(folder));
});
afterEach(() => session.dispose());

async function open(sessionManager: SessionManager, settings = {}) {
  const modelRuntime = new ModelRuntime({ agentDir: folder });
  modelRuntime.registerNativeProvider(faux.provider);
  ({ session } = await createAgentSession({
    cwd: folder,
    agentDir: folder,
    modelRuntime,
    model: faux.getModel(),
    sessionManager,
    settingsManager: SettingsManager.inMemory({
      retry: { baseDelayMs: 1 },
      compaction: { reserveTokens: 1000, keepRecentTokens: 50 },
      ...settings,
    }),
  }));
  events = [];
  session.subscribe((event) => events.push(event));
}

const say = (text: string, extra: Partial<AssistantMessage> = {}) => ({ ...fauxAssistantMessage(text), ...extra });
const roles = () => session.messages.map(({ role }) => role);
const told = (type: AgentSessionEvent["type"]) => events.filter((event) => event.type === type);

describe("moving through the tree (sessions.md section 4)", () => {
  beforeEach(async () => {
    faux.setResponses([say("one"), say("two")]);
    await session.prompt("first");
    await session.prompt("second");
  });
  const entryOf = (text: string) =>
    session.getUserMessagesForForking().find((message) => message.text === text)?.entryId ?? "";

  it("selecting a prompt goes before it and gives its text back", async () => {
    expect(await session.navigateTree(entryOf("second"))).toEqual({ cancelled: false, editorText: "second" });
    expect(roles()).toEqual(["system", "user", "assistant"]);
    expect(await session.navigateTree(entryOf("first"))).toEqual({ cancelled: false, editorText: "first" });
  });

  it("what is left can be summarised and labelled", async () => {
    faux.setResponses([say("It was two.")]);
    const { summaryEntry } = await session.navigateTree(entryOf("second"), { summarize: true, label: "back" });
    expect(summaryEntry).toMatchObject({ type: "branch_summary", fromHook: false });
    expect(summaryEntry?.summary).toContain("It was two.");
    expect(session.sessionManager.getLabel(summaryEntry?.id ?? "")).toBe("back");
    expect(roles().at(-1)).toBe("branchSummary");
  });

  it("given up at once: the tree stays as it is", async () => {
    faux.setResponses([say("SUMMARY")]);
    const leaf = session.sessionManager.getLeafId();
    const moved = session.navigateTree(entryOf("second"), { summarize: true });
    session.abortBranchSummary();
    expect(await moved).toEqual({ cancelled: true, aborted: true });
    expect(session.sessionManager.getLeafId()).toBe(leaf);
  });

  it("a summary that fails leaves the tree as it was", async () => {
    const leaf = session.sessionManager.getLeafId();
    faux.setResponses([say("", { stopReason: "error", errorMessage: "nope" })]);
    await expect(session.navigateTree(entryOf("second"), { summarize: true })).rejects.toThrow(
      "Branch summarization failed: nope",
    );
    expect(session.sessionManager.getLeafId()).toBe(leaf);
    await expect(session.navigateTree("nowhere")).rejects.toThrow("Entry nowhere not found");
  });
});

it("a run that breaks off in the middle ends with all of its messages", async () => {
  faux.setResponses([say("one")]);
  session.agent.transformContext = () => Promise.reject(new Error("broken hook"));
  await session.prompt("hello");
  const [end] = told("agent_end");
  expect(end).toMatchObject({ messages: [{ role: "system" }, { role: "user" }, { errorMessage: "broken hook" }] });
  expect(end).toMatchObject({ messages: session.messages });
});

describe("compaction", () => {
  const long = "x".repeat(1200);

  it("by hand: the context is the summary and what is kept, and the session goes on", async () => {
    faux.setResponses([say("one"), say("two"), say("SUMMARY"), say("three")]);
    await session.prompt(long);
    await session.prompt(long);
    const result = await session.compact();
    expect(result).toMatchObject({ summary: "SUMMARY", details: { readFiles: [], modifiedFiles: [] } });
    expect(roles()).toEqual(["system", "compactionSummary", "user", "assistant"]);
    expect(session.getContextUsage()).toEqual({ tokens: null, contextWindow: 4000, percent: null });
    await session.prompt("more");
    expect(session.getLastAssistantText()).toBe("three");
    expect(session.getContextUsage()?.tokens).toBeGreaterThan(0);
    expect(session.getSessionStats()).toMatchObject({ userMessages: 3, assistantMessages: 3 });
  });

  it.each(["at once", "when it is told of"])("cancelled %s: nothing is summarised", async (when) => {
    faux.setResponses([say("one"), say("two"), say("SUMMARY")]);
    await session.prompt(long);
    await session.prompt(long);
    if (when !== "at once") {
      session.subscribe(({ type }) => {
        if (type === "compaction_start") session.abortCompaction();
      });
    }
    const compacted = session.compact();
    if (when === "at once") session.abortCompaction();
    await expect(compacted).rejects.toThrow("Compaction cancelled");
    expect(told("compaction_end")).toMatchObject([{ aborted: true }]);
    expect(roles()).not.toContain("compactionSummary");
    expect(faux.getPendingResponseCount()).toBe(1);
  });

  it("a second one while a summary is made is refused as a promise", async () => {
    faux.setResponses([say("one"), say("two"), say("SUMMARY")]);
    await session.prompt(long);
    await session.prompt(long);
    const first = session.compact();
    await expect(session.compact()).rejects.toThrow();
    await first;
  });

  it("a failing one tells and throws, and the session is usable", async () => {
    faux.setResponses([say("one"), say("two"), say("", { stopReason: "error", errorMessage: "bad" }), say("three")]);
    await session.prompt(long);
    await session.prompt(long);
    await expect(session.compact()).rejects.toThrow("Summarization failed: bad");
    expect(told("compaction_end")).toMatchObject([
      { errorMessage: "Compaction failed: Summarization failed: bad", aborted: false },
    ]);
    await session.prompt("more");
    expect(session.getLastAssistantText()).toBe("three");
  });

  it("an overflow that a summary does not cure is given up after one attempt", async () => {
    const overflow = say("", { stopReason: "error", errorMessage: "prompt is too long: 9 tokens > 8 maximum" });
    faux.setResponses([say("one"), overflow, say("S1"), say("S2"), overflow]);
    await session.prompt(long);
    await session.prompt(long);
    expect(told("compaction_end")).toMatchObject([
      { reason: "overflow", willRetry: true },
      {
        errorMessage: expect.stringMatching(/^Context overflow recovery failed after one compact-and-retry attempt\./),
      },
    ]);
    expect(told("agent_settled")).toHaveLength(2);
  });

  /** Answers what fits into the window, and counts. */
  const answers = (count: number) => {
    const sizes: number[] = [];
    const response = (context: TranscriptContext) => {
      const size = JSON.stringify(context.messages).length;
      sizes.push(size);
      return size > 16_000
        ? say("", { stopReason: "error", errorMessage: "prompt is too long: 9 tokens > 8 maximum" })
        : say(`answer ${sizes.length}`);
    };
    faux.setResponses(Array.from({ length: count }, () => response));
    return sizes;
  };

  it("a message of many windows is summarised in a bounded number of requests, and the session goes on", async () => {
    const sizes = answers(40);
    await session.prompt("y".repeat(400_000));
    expect(told("compaction_end")).toMatchObject([{ reason: "overflow", willRetry: true, aborted: false }]);
    expect(session.getLastAssistantText()).toBe(`answer ${sizes.length}`);
    expect(sizes.length).toBeLessThanOrEqual(10);
    await session.prompt("more");
    expect(session.getLastAssistantText()).toBe(`answer ${sizes.length}`);
  });

  it("a message whose summary failed does not make the session useless", async () => {
    const overflow = say("", { stopReason: "error", errorMessage: "prompt is too long: 9 tokens > 8 maximum" });
    faux.setResponses([overflow, say("", { stopReason: "error", errorMessage: "bad" })]);
    await session.prompt("y".repeat(400_000));
    expect(told("compaction_end")).toMatchObject([{ errorMessage: expect.stringMatching(/bad$/) }]);
    const sizes = answers(40);
    await session.prompt("more");
    expect(session.getLastAssistantText()).toBe(`answer ${sizes.length}`);
    await session.prompt("and more");
    expect(session.getLastAssistantText()).toBe(`answer ${sizes.length}`);
  });

  it("between two turns of one run, when the tools filled the context", async () => {
    writeFileSync(join(folder, "big.txt"), "word ".repeat(2600));
    faux.setResponses([
      say("one"),
      fauxAssistantMessage(fauxToolCall("read", { path: "big.txt" }), { stopReason: "toolUse" }),
      say("SUMMARY"),
      say("PREFIX"),
      say("done"),
    ]);
    await session.prompt(long);
    await session.prompt("read");
    const order = events
      .map(({ type }) => type)
      .filter((type) => /^(?:turn|compaction|agent)_/.test(type))
      .slice(6);
    expect(order.slice(0, 5)).toEqual(["turn_start", "turn_end", "compaction_start", "compaction_end", "turn_start"]);
    expect(session.getLastAssistantText()).toBe("done");
  });
});

describe("a disk that is full", () => {
  const { writeSync } = fs;
  afterEach(() => makeRoom());
  const fill = () => {
    fs.writeSync = (() => {
      throw new Error("ENOSPC: no space left on device, write");
    }) as typeof writeSync;
    syncBuiltinESMExports();
  };
  const makeRoom = () => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  };
  /** What is on the disk, in its order. */
  const stored = () => {
    const path = session.sessionFile as string;
    const { messages } = SessionManager.open(path, undefined, undefined, { readOnly: true }).buildSessionContext();
    return messages.map((message) => (message.role === "user" ? textOf(message.content) : message.role));
  };

  it("nothing that was typed is lost, also what waits behind it", async () => {
    await open(SessionManager.create(folder, folder));
    faux.setResponses([say("one"), say("two")]);
    await session.prompt("first");
    session.setActiveToolsByName(["read"]);
    fill();
    await session.steer("steering");
    await session.steer("more steering");
    await session.prompt("typed");
    expect(session.messages.at(-1)).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringMatching(/ENOSPC/),
    });
    expect(faux.getPendingResponseCount()).toBe(1);
    makeRoom();
    await session.prompt("again");
    const answers = ["assistant", "system"];
    const typed = stored().filter((one) => !answers.includes(one));
    expect(typed).toEqual(["first", "typed", "steering", "more steering", "again"]);
    expect(session.sessionManager.buildSessionContext().messages).toEqual(session.messages);
  });

  it("every result of a tool is kept", async () => {
    await open(SessionManager.create(folder, folder));
    writeFileSync(join(folder, "a.txt"), "a");
    const calls = [fauxToolCall("read", { path: "a.txt" }), fauxToolCall("read", { path: "b.txt" })];
    faux.setResponses([fauxAssistantMessage(calls, { stopReason: "toolUse" }), say("never")]);
    session.subscribe((event) => {
      if (event.type === "tool_execution_start") fill();
    });
    await session.prompt("read");
    expect(faux.getPendingResponseCount()).toBe(1);
    makeRoom();
    session.sessionManager.sync();
    expect(stored()).toEqual(["system", "read", "assistant", "toolResult", "toolResult", "assistant"]);
  });
});

describe("queues and retry", () => {
  it("prompts sent while `agent_settled` is told begin when everybody has heard it", async () => {
    faux.setResponses([say("one"), say("two")]);
    const heard: string[] = [];
    let followUp: Promise<void> | undefined;
    session.subscribe(({ type }) => {
      heard.push(`a ${type}`);
      if (type === "agent_settled") followUp ??= session.prompt("again");
    });
    session.subscribe(({ type }) => heard.push(`b ${type}`));
    await session.prompt("first");
    await followUp;
    const settled = heard.indexOf("a agent_settled");
    expect(heard[settled + 1]).toBe("b agent_settled");
    expect(session.getLastAssistantText()).toBe("two");
  });

  it("a failed answer is hidden from the model and kept in the session", async () => {
    faux.setResponses([say("", { stopReason: "error", errorMessage: "529 overloaded" }), say("fine")]);
    await session.prompt("first");
    expect(roles()).toEqual(["system", "user", "assistant"]);
    const stored = session.sessionManager
      .getEntries()
      .filter(({ type }) => type === "message" || type === "context_edit");
    expect(stored.map(({ type }) => type)).toEqual(["message", "message", "message", "context_edit", "message"]);
  });

  it("a command of the user can be ended from the moment it was given", async () => {
    const run = session.executeBash("sleep 60");
    expect(session.isBashRunning).toBe(true);
    session.abortBash();
    expect(await run).toMatchObject({ cancelled: true });
    expect(session.isBashRunning).toBe(false);
  });

  it("commands of the user during a run are in the transcript after it", async () => {
    faux.setResponses([() => new Promise((resolve) => setTimeout(() => resolve(say("one")), 100))]);
    const run = session.prompt("first");
    await session.executeBash("echo hi");
    expect(session.hasPendingBashMessages).toBe(true);
    await run;
    expect(roles().slice(-2)).toEqual(["assistant", "bashExecution"]);
    expect((session.messages.at(-1) as AgentMessage & { output: string }).output).toBe("hi\n");
  });
});

it("what a killed run left open is answered in the conversation as in the file", async () => {
  const manager = SessionManager.create(folder, folder);
  manager.appendMessage({ role: "user", content: [{ type: "text", text: "go" }], timestamp: 1 });
  manager.appendMessage(fauxAssistantMessage([fauxToolCall("read", { path: "x" }, { id: "c1" })]));
  manager.close();
  session.dispose();
  await open(SessionManager.open(manager.getSessionFile() as string));
  faux.setResponses([say("done")]);
  await session.prompt("again");
  expect(session.messages.map(({ role }) => role)).toEqual(
    session.sessionManager.buildSessionContext().messages.map(({ role }) => role),
  );
  expect(session.messages).toContainEqual(expect.objectContaining({ role: "toolResult", toolCallId: "c1" }));
});
