import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { fauxAssistantMessage, fauxProvider, type Usage } from "@earendil-works/pi-ai";
import type { Component, TUI } from "@earendil-works/pi-tui";
import { expect, onTestFinished } from "vitest";
import type { FileEntry, SessionEntry } from "../../src/index.js";
import { theProbesOf } from "./the-probes.js";

type Pi = typeof import("../../src/index.js");

const screen = { requestRender: () => {}, terminal: { columns: 80, rows: 24, write: () => {} } } as unknown as TUI;
const drawn = (component: Component, width = 60) =>
  component.render(width).map((line) => stripVTControlCharacters(line).trimEnd());

const time = "2026-01-01T00:00:00.000Z";
const user = (content: string) => ({ role: "user" as const, content, timestamp: 1 });
const usage: Usage = {
  ...fauxAssistantMessage("").usage,
  input: 3,
  output: 4,
  cacheRead: 5,
  cacheWrite: 6,
  totalTokens: 0,
};
const answer = (text: string, stopReason: "stop" | "error" = "stop") => ({
  ...fauxAssistantMessage(text, { stopReason }),
  usage,
});
type Message = ReturnType<typeof user> | ReturnType<typeof answer>;
/** One branch of messages: entries named 0, 1, 2. */
const branch = (...messages: Message[]): SessionEntry[] =>
  messages.map((message, at) => ({
    type: "message",
    id: `${at}`,
    parentId: at === 0 ? null : `${at - 1}`,
    timestamp: time,
    message,
  }));
const conversation = branch(user("first"), answer("one"), user("second"), answer("two"));
const summaryOf = (text: string): SessionEntry => ({
  type: "compaction",
  id: "c",
  parentId: "3",
  timestamp: time,
  summary: text,
  firstKeptEntryId: "2",
  tokensBefore: 1234,
});

/** A model that answers each request with the next of the texts. */
function answering(...texts: string[]) {
  const faux = fauxProvider({ provider: "f", models: [{ id: "m" }] });
  const prompts: string[] = [];
  faux.setResponses(
    texts.map((text) => (context) => {
      prompts.push(JSON.stringify(context.messages.at(-1)));
      return fauxAssistantMessage(text);
    }),
  );
  return { model: faux.getModel(), streamFn: faux.provider.streamSimple.bind(faux.provider), prompts };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pi-probe-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A guard of tool results says yes to its own tool alone. */
const guards = (name: string) => (is: (event: never) => boolean) => {
  const about = { type: "tool_result", toolCallId: "1", input: {}, content: [], details: undefined, isError: false };
  const names = ["bash", "powershell", "read", "edit", "write", "grep", "find", "ls", "mine"];
  expect(names.filter((toolName) => is({ ...about, toolName } as never))).toEqual([name]);
};

/** A message that is folded until it is told otherwise. */
const folds = (component: Component & { setExpanded(on: boolean): void }, short: RegExp, whole: string) => {
  expect(drawn(component).join("\n")).toMatch(short);
  expect(drawn(component).join("\n")).not.toContain(whole);
  component.setExpanded(true);
  expect(drawn(component).join("\n")).toContain(whole);
};

/** A runner with one extension's tool. */
async function toolOfAnExtension({
  discoverAndLoadExtensions,
  ExtensionRunner,
  SessionManager,
  ModelRuntime,
  ModelRegistry,
}: Pi) {
  const cwd = folder();
  const file = join(cwd, "tool.ts");
  writeFileSync(
    file,
    `export default (pi) => pi.registerTool({ name: "shout", label: "Shout", description: "Loud", parameters: { type: "object" },
      execute: async (id, { text }, signal, onUpdate, ctx) => ({ content: [{ type: "text", text: text.toUpperCase() + " in " + ctx.cwd }], details: id }) });`,
  );
  const { extensions, runtime, errors } = await discoverAndLoadExtensions([file], cwd, cwd);
  expect(errors).toEqual([]);
  const models = new ModelRegistry(new ModelRuntime({ agentDir: cwd }));
  const runner = new ExtensionRunner(extensions, runtime, cwd, SessionManager.inMemory(cwd), models);
  return { cwd, runner, tools: runner.getAllRegisteredTools() };
}
const saysOfShout = (cwd: string) => ({ content: [{ type: "text", text: `HI in ${cwd}` }], details: "7" });

/** Named, and refused with the name when an extension is made of it. */
const comesLater = (name: string) => (create: () => (pi: never) => unknown) =>
  expect(() => create()(undefined as never)).toThrow(name);

theProbesOf<Pi>("@earendil-works/pi-coding-agent", "pi-coding-agent, rarely", {
  AssistantMessageComponent: (Component, { initTheme }) => {
    initTheme("dark");
    const message = {
      ...answer("spoken"),
      content: [
        { type: "thinking" as const, thinking: "mused" },
        { type: "text" as const, text: "spoken" },
      ],
    };
    const component = new Component(message);
    expect(drawn(component).join("\n")).toMatch(/mused[\s\S]*spoken/);
    component.setHideThinkingBlock(true);
    component.setHiddenThinkingLabel("hm");
    expect(drawn(component).join("\n")).toMatch(/hm[\s\S]*spoken/);
    component.updateContent(answer("other"));
    expect(drawn(component).join("\n")).toMatch(/^[^m]*other/);
  },
  UserMessageComponent: (Component) => {
    const component = new Component("asked", undefined, 1, [(text, { messageId }) => `${text} ${messageId}`], "id");
    expect(drawn(component).filter(Boolean)).toEqual([" asked id"]);
    component.setOutputPad(3);
    expect(drawn(component).filter(Boolean)).toEqual(["   asked id"]);
  },
  CustomMessageComponent: (Component) => {
    const message = { role: "custom" as const, customType: "note", content: "to all", display: true, timestamp: 1 };
    expect(drawn(new Component(message)).join("\n")).toMatch(/note[\s\S]*to all/);
  },
  BranchSummaryMessageComponent: (Component) =>
    folds(
      new Component({ role: "branchSummary", summary: "tried in vain", fromId: "1", timestamp: 1 }),
      /branch/i,
      "tried in vain",
    ),
  CompactionSummaryMessageComponent: (Component) =>
    folds(
      new Component({ role: "compactionSummary", summary: "done so far", tokensBefore: 1234, timestamp: 1 }),
      /1,234/,
      "done so far",
    ),
  SkillInvocationMessageComponent: (Component) =>
    folds(
      new Component({ name: "knit", location: "/k", content: "two needles", userMessage: undefined }),
      /knit/,
      "two needles",
    ),
  BashExecutionComponent: (Component) => {
    const component = new Component("make it", screen);
    component.appendOutput("line\n");
    component.setComplete(2, false);
    expect([component.getCommand(), component.getOutput()]).toEqual(["make it", "line\n"]);
    expect(drawn(component).join("\n")).toMatch(/make it[\s\S]*line[\s\S]*exit 2/);
  },
  ToolExecutionComponent: (Component) => {
    const component = new Component("read", "1", { path: "a.txt" }, undefined, undefined, screen, "/x");
    component.markExecutionStarted();
    component.setArgsComplete();
    component.updateResult({ content: [{ type: "text", text: "what it holds" }], isError: false });
    expect(drawn(component).join("\n")).toMatch(/read a\.txt/);
    component.setExpanded(true);
    expect(drawn(component).join("\n")).toContain("what it holds");
  },
  FooterComponent: async (Component, { createAgentSession, SessionManager }) => {
    const cwd = folder();
    const { session } = await createAgentSession({ cwd, agentDir: cwd, sessionManager: SessionManager.inMemory(cwd) });
    const statuses = new Map([["lint", "all clean"]]);
    const data = {
      getGitBranch: () => "trunk",
      getExtensionStatuses: () => statuses,
      getAvailableProviderCount: () => 1,
      onBranchChange: () => () => {},
    };
    expect(drawn(new Component(session, data), 120).join("\n")).toMatch(/trunk[\s\S]*all clean/);
    session.dispose();
  },
  truncateToVisualLines: (truncate) => {
    const rows = (keep: "start" | "end") => truncate("one two three", 2, 5, 0, keep);
    expect(rows("end")).toMatchObject({ skippedCount: 1 });
    expect(rows("end").visualLines.map((line) => line.trim())).toEqual(["two", "three"]);
    expect(rows("start").visualLines.map((line) => line.trim())).toEqual(["one", "two"]);
  },
  getPackageDir: (get) => expect(existsSync(join(get(), "package.json"))).toBe(true),
  getReadmePath: (get) => expect(existsSync(get())).toBe(true),
  getDocsPath: (get) => expect(existsSync(join(get(), "extensions.md"))).toBe(true),
  getExamplesPath: (get) => expect(existsSync(join(get(), "extensions"))).toBe(true),
  getShellConfig: (get) => {
    expect(get()).toMatchObject({ shell: expect.stringMatching(/sh$/), args: ["-c"] });
    expect(() => get("/no/shell")).toThrow("/no/shell");
  },
  getPowerShellConfig: (get) => {
    if (process.platform === "win32") expect(get().args).toContain("-NoProfile");
    else expect(() => get()).toThrow("Windows");
  },
  createPowerShellTool: (create) =>
    expect(create("/x")).toMatchObject({ name: "powershell", label: expect.any(String) }),
  createPowerShellToolDefinition: (create) =>
    expect(create("/x")).toMatchObject({ name: "powershell", parameters: { required: ["command"] } }),
  createLocalPowerShellOperations: (create) => expect(create().exec).toBeTypeOf("function"),
  CURRENT_SESSION_VERSION: (version) => expect(version).toBe(3),
  parseSessionEntries: (parse) =>
    expect(parse('{"type":"session","id":"s"}\n\n{"torn\n{"type":"label","id":"l"}\n')).toMatchObject([
      { id: "s" },
      { id: "l" },
    ]),
  migrateSessionEntries: (migrate) => {
    const entries = [
      { type: "session", id: "s", timestamp: time, cwd: "/" },
      { type: "message", timestamp: time, message: user("old") },
    ] as FileEntry[];
    migrate(entries);
    expect(entries).toMatchObject([{ version: 3 }, { type: "message", id: expect.any(String), parentId: null }]);
  },
  buildContextEntries: (build) => {
    const kept = build([...conversation, summaryOf("before")]).map(({ id }) => id);
    expect(kept).toEqual(["c", "2", "3"]);
    expect(build(conversation, "1").map(({ id }) => id)).toEqual(["0", "1"]);
  },
  buildSessionProjection: (build) => {
    const { messages } = build([...conversation, summaryOf("before")]);
    expect(messages.map(({ role }) => role)).toEqual(["compactionSummary", "user", "assistant"]);
  },
  getLatestCompactionEntry: (latest) => {
    const later = { ...summaryOf("later"), id: "d" };
    expect([latest(conversation), latest([summaryOf("early"), later])]).toEqual([null, later]);
  },
  sessionEntryToContextMessages: (messagesOf) => {
    expect(messagesOf(conversation[0] as SessionEntry)).toMatchObject([user("first")]);
    expect(messagesOf(summaryOf("so far"))).toMatchObject([{ role: "compactionSummary", summary: "so far" }]);
    expect(messagesOf({ type: "label", id: "l", parentId: null, timestamp: time, targetId: "0", label: "x" })).toEqual(
      [],
    );
  },
  parseSkillBlock: (parse) => {
    const text =
      '<skill name="knit" location="/k/SKILL.md">\nReferences are relative to /k.\n\ntwo needles\n</skill>\n\na scarf';
    expect(parse(text)).toMatchObject({ name: "knit", location: "/k/SKILL.md", userMessage: "a scarf" });
    expect(parse("no skill")).toBeNull();
  },
  DEFAULT_COMPACTION_SETTINGS: (settings) =>
    expect(settings).toEqual({ enabled: true, reserveTokens: 16384, keepRecentTokens: 20000 }),
  calculateContextTokens: (count) => expect([count(usage), count({ ...usage, totalTokens: 9 })]).toEqual([18, 9]),
  estimateTokens: (estimate) => expect(estimate(user("12345678"))).toBe(2),
  shouldCompact: (should, { DEFAULT_COMPACTION_SETTINGS: settings }) =>
    expect([
      should(83_616, 100_000, settings),
      should(83_617, 100_000, settings),
      should(99_999, 100_000, { ...settings, enabled: false }),
    ]).toEqual([false, true, false]),
  getLastAssistantUsage: (last) => {
    const failed = { ...answer("", "error"), usage: { ...usage, input: 99 } };
    expect([last([]), last(branch(answer("one"), failed))]).toEqual([undefined, usage]);
  },
  findTurnStartIndex: (find) => expect([find(conversation, 3, 0), find(conversation, 1, 1)]).toEqual([2, -1]),
  findCutPoint: (find) =>
    expect(find(conversation, 0, 4, 1)).toEqual({ firstKeptEntryIndex: 3, turnStartIndex: 2, isSplitTurn: true }),
  compact: async (compact) => {
    const { model, streamFn, prompts } = answering("what happened");
    const preparation = {
      firstKeptEntryId: "2",
      messagesToSummarize: [user("first")],
      turnPrefixMessages: [],
      isSplitTurn: false,
      tokensBefore: 1234,
      previousSummary: "long ago",
      fileOps: { read: new Set(["r.txt"]), written: new Set<string>(), edited: new Set(["e.txt"]) },
      settings: { enabled: true, reserveTokens: 1, keepRecentTokens: 1 },
    };
    const result = await compact(preparation, model, undefined, undefined, "the tests", undefined, undefined, streamFn);
    expect(result).toMatchObject({
      firstKeptEntryId: "2",
      tokensBefore: 1234,
      details: { readFiles: ["r.txt"], modifiedFiles: ["e.txt"] },
    });
    expect(result.summary).toMatch(/^what happened[\s\S]*r\.txt[\s\S]*e\.txt/);
    expect(prompts.join()).toMatch(/first[\s\S]*long ago[\s\S]*the tests/);
  },
  generateSummary: async (generate) => {
    const { model, streamFn, prompts } = answering("short");
    const given = [undefined, undefined, undefined, "the tests", "before", undefined, streamFn] as const;
    expect(await generate([user("first")], model, 0, ...given)).toBe("short");
    expect(prompts.join()).toMatch(/first[\s\S]*before[\s\S]*the tests/);
  },
  generateSummaryWithUsage: async (generate) => {
    const { model, streamFn } = answering("short");
    const given = [undefined, undefined, undefined, undefined, undefined, undefined, streamFn] as const;
    const { text, usage: took } = await generate([user("first")], model, 0, ...given);
    expect([text, took.output > 0]).toEqual(["short", true]);
  },
  collectEntriesForBranchSummary: (collect, { SessionManager }) => {
    const session = SessionManager.inMemory("/x");
    const root = session.appendMessage(user("root"));
    const left = session.appendMessage(user("left"));
    session.branch(root);
    const target = session.appendMessage(user("target"));
    const { entries, commonAncestorId } = collect(session, left, target);
    expect([entries.map(({ id }) => id), commonAncestorId]).toEqual([[left], root]);
    expect(collect(session, null, target)).toEqual({ entries: [], commonAncestorId: null });
  },
  prepareBranchEntries: (prepare) => {
    const all = prepare(conversation);
    expect(all.messages.length).toBe(4);
    expect(prepare(conversation, all.totalTokens - 1).messages.length).toBe(3);
  },
  generateBranchSummary: async (generate) => {
    const { model, streamFn, prompts } = answering("in vain");
    const options = { model, streamFn, signal: new AbortController().signal, customInstructions: "the tests" };
    expect(await generate(conversation, options)).toMatchObject({
      summary: expect.stringContaining("in vain"),
      readFiles: [],
      modifiedFiles: [],
    });
    expect(prompts.join()).toMatch(/first[\s\S]*two[\s\S]*the tests/);
    expect(await generate([], options)).toEqual({ summary: "No content to summarize" });
    expect(await generate(conversation, { ...options, signal: AbortSignal.abort() })).toEqual({ aborted: true });
  },
  CredentialSynchronizationError: (Failed) => {
    const error = new Failed(
      "corp",
      "login",
      { type: "api_key", key: "sk-secret" },
      { cause: new Error("disk is full") },
    );
    expect(error).toMatchObject({ providerId: "corp", operation: "login", credential: { key: "sk-secret" } });
    expect([error.message, JSON.stringify(error)].join()).not.toContain("sk-secret");
    expect(error.message).toContain("disk is full");
  },
  resolveModelScopeWithDiagnostics: async (resolve) => {
    const { model } = answering();
    const models = { getAvailable: async () => [model] };
    const { scopedModels, diagnostics } = await resolve(["f/*:high", "nobody"], models as never);
    expect(scopedModels).toMatchObject([{ model: { id: "m" } }]);
    expect(diagnostics).toMatchObject([{ code: "no-match", message: 'No models match pattern "nobody"' }]);
  },
  stripFrontmatter: (strip) => expect([strip("---\na: 1\n---\nbody"), strip("plain")]).toEqual(["body", "plain"]),
  wrapRegisteredTool: async (wrap, all) => {
    const { cwd, runner, tools } = await toolOfAnExtension(all);
    const [tool] = tools;
    if (!tool) throw new Error("no tool");
    expect(await wrap(tool, runner).execute("7", { text: "hi" })).toEqual(saysOfShout(cwd));
  },
  wrapRegisteredTools: async (wrap, all) => {
    const { cwd, runner, tools } = await toolOfAnExtension(all);
    const [tool] = wrap(tools, runner);
    expect([tool?.name, await tool?.execute("7", { text: "hi" })]).toEqual(["shout", saysOfShout(cwd)]);
  },
  createCodingTools: (create) =>
    expect(create("/x").map(({ name }) => name)).toEqual(["read", "bash", "edit", "write"]),
  createSyntheticSourceInfo: (create) =>
    expect(create("/a.ts", { source: "inline" })).toMatchObject({
      path: "/a.ts",
      source: "inline",
      scope: "temporary",
      origin: "top-level",
    }),
  createEventBus: async (create) => {
    const bus = create();
    const heard: unknown[] = [];
    const stop = bus.on("news", (data) => void heard.push(data));
    bus.emit("news", 1);
    await Promise.resolve();
    stop();
    bus.emit("news", 2);
    await Promise.resolve();
    expect(heard).toEqual([1]);
  },
  loadSkillsFromDir: (load) => {
    const dir = folder();
    mkdirSync(join(dir, "knit"));
    writeFileSync(join(dir, "knit", "SKILL.md"), "---\nname: knit\ndescription: With wool\n---\ntwo needles");
    expect(load({ dir, source: "test" }).skills).toMatchObject([{ name: "knit", description: "With wool" }]);
  },
  formatSkillsForPrompt: (format, { loadSkillsFromDir }) => {
    const dir = folder();
    mkdirSync(join(dir, "knit"));
    writeFileSync(join(dir, "knit", "SKILL.md"), "---\nname: knit\ndescription: Wool & more\n---\ntwo needles");
    const text = format(loadSkillsFromDir({ dir, source: "test" }).skills);
    expect(text).toMatch(/knit[\s\S]*Wool &amp; more/);
    expect([text.includes("two needles"), format([])]).toEqual([false, ""]);
  },
  hasTrustRequiringProjectResources: (has) => {
    const cwd = folder();
    expect(has(cwd)).toBe(false);
    mkdirSync(join(cwd, ".pi", "extensions"), { recursive: true });
    writeFileSync(join(cwd, ".pi", "extensions", "x.ts"), "");
    expect(has(cwd)).toBe(true);
  },
  convertToPng: async (convert) => {
    const png = dot.toString("base64");
    expect(await convert(png, "image/png")).toEqual({ data: png, mimeType: "image/png" });
    expect(await convert(Buffer.from("no image").toString("base64"), "image/jpeg")).toBeNull();
  },
  detectSupportedImageMimeTypeFromFile: async (detect) => {
    const cwd = folder();
    writeFileSync(join(cwd, "a"), dot);
    writeFileSync(join(cwd, "b.png"), "text");
    expect([await detect(join(cwd, "a")), await detect(join(cwd, "b.png"))]).toEqual(["image/png", null]);
  },
  formatDimensionNote: (format) => {
    const image = { data: "", mimeType: "image/png", originalWidth: 400, originalHeight: 200, width: 200, height: 100 };
    expect(format({ ...image, wasResized: true })).toMatch(/original 400x200.*200x100.*2\.00/);
    expect(format({ ...image, wasResized: false })).toBeUndefined();
  },
  isReadToolResult: guards("read"),
  isEditToolResult: guards("edit"),
  isWriteToolResult: guards("write"),
  isGrepToolResult: guards("grep"),
  isFindToolResult: guards("find"),
  isLsToolResult: guards("ls"),
  isPowerShellToolResult: guards("powershell"),
  VIRTUAL_MODEL_STATE_ENTRY: (name) => expect(name).toBe("pi.virtual-model-state"),
  createCodemodeExtension: comesLater("createCodemodeExtension"),
  createMcpExtension: comesLater("createMcpExtension"),
  createToolSearchExtension: comesLater("createToolSearchExtension"),
});
