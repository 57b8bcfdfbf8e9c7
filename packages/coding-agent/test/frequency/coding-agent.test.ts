import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { TUI } from "@earendil-works/pi-tui";
import { expect, onTestFinished, vi } from "vitest";
import { theProbesOf } from "./the-probes.js";

type Pi = typeof import("../../src/index.js");

const screen = { requestRender: () => {}, terminal: { columns: 80, rows: 24, write: () => {} } } as unknown as TUI;
const plain = (text: string) => text;

/** A folder with a file, gone after the test. */
function folder(files: Record<string, string | Buffer> = { "a.txt": "one\ntwo\n" }): string {
  const path = mkdtempSync(join(tmpdir(), "pi-probe-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}
type Runs = { name: string; execute(...args: never[]): Promise<{ content: object[] }> };
/** What a tool says, called as an AgentTool is: without a context. */
async function says(tool: unknown, params: object, ctx?: object): Promise<string> {
  const { content } = await (tool as Runs).execute(...(["id", params, undefined, undefined, ctx] as never[]));
  return content.map((part) => ("text" in part ? part.text : "")).join("");
}
const user = { role: "user" as const, content: "hi", timestamp: 1 };

const reads = async (tool: unknown, ctx?: object) =>
  expect(await says(tool, { path: "a.txt" }, ctx)).toContain("one\ntwo");
const runs = async (tool: unknown, ctx?: object) =>
  expect(await says(tool, { command: "echo $((1+2))" }, ctx)).toBe("3\n");
const greps = async (tool: unknown, ctx?: object) =>
  expect(await says(tool, { pattern: "two" }, ctx)).toContain("a.txt:2: two");
const finds = async (tool: unknown, ctx?: object) =>
  expect(await says(tool, { pattern: "*.txt" }, ctx)).toContain("a.txt");
const lists = async (tool: unknown, ctx?: object) => expect(await says(tool, {}, ctx)).toContain("a.txt");
const writes = async (tool: unknown, cwd: string, ctx?: object) => {
  await says(tool, { path: "b.txt", content: "new" }, ctx);
  expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("new");
};
const edits = async (tool: unknown, cwd: string, ctx?: object) => {
  await says(tool, { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }, ctx);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n2\n");
};
/** Definitions run where their context is. */
const defined = (
  create: (cwd: string) => object,
  check: (tool: unknown, cwd: string, ctx: object) => Promise<unknown>,
) => {
  const cwd = folder();
  const definition = create(cwd);
  expect(definition).toMatchObject({
    label: expect.any(String),
    description: expect.any(String),
    parameters: { type: "object" },
  });
  return check(definition, cwd, { cwd, model: undefined, sessionManager: undefined });
};

theProbesOf<Pi>("@earendil-works/pi-coding-agent", "pi-coding-agent", {
  VERSION: (version) => expect(version).toMatch(/^\d+\.\d+\.\d+$/),
  CONFIG_DIR_NAME: (name) => expect(name).toBe(".pi"),
  getAgentDir: (get) => {
    vi.stubEnv("PI_CODING_AGENT_DIR", "/somewhere");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(get()).toBe("/somewhere");
    vi.stubEnv("PI_CODING_AGENT_DIR", "");
    expect(get()).toBe(join(homedir(), ".pi", "agent"));
  },
  DEFAULT_MAX_BYTES: (bytes) => expect(bytes).toBe(51200),
  DEFAULT_MAX_LINES: (lines) => expect(lines).toBe(2000),
  formatSize: (format) =>
    expect([format(51200), format(500), format(3 * 1024 * 1024)]).toEqual(["50.0KB", "500B", "3.0MB"]),
  truncateHead: (truncate) =>
    expect(truncate("a\nb\nc", { maxLines: 2 })).toMatchObject({
      content: "a\nb",
      truncated: true,
      truncatedBy: "lines",
      totalLines: 3,
    }),
  truncateTail: (truncate) =>
    expect(truncate("a\nb\nc", { maxLines: 2 })).toMatchObject({ content: "b\nc", truncated: true, outputLines: 2 }),
  truncateLine: (truncate) =>
    expect([truncate("abc", 9), truncate("x".repeat(9), 3).wasTruncated]).toEqual([
      { text: "abc", wasTruncated: false },
      true,
    ]),
  formatReadLineRange: (format) => expect([format(3, 2), format(undefined, undefined)]).toEqual([":3-4", ""]),
  parseFrontmatter: (parse) =>
    expect(parse("---\nname: x\n---\nbody")).toMatchObject({ frontmatter: { name: "x" }, body: "body" }),
  withFileMutationQueue: async (queued) => {
    const cwd = folder();
    const order: number[] = [];
    const slow = queued(join(cwd, "a.txt"), async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(1);
    });
    await Promise.all([slow, queued(join(cwd, ".", "a.txt"), async () => void order.push(2))]);
    expect(order).toEqual([1, 2]);
  },
  createReadTool: (create) => reads(create(folder())),
  createBashTool: (create) => runs(create(folder())),
  createWriteTool: (create) => {
    const cwd = folder();
    return writes(create(cwd), cwd);
  },
  createEditTool: (create) => {
    const cwd = folder();
    return edits(create(cwd), cwd);
  },
  createGrepTool: (create) => greps(create(folder())),
  createFindTool: (create) => finds(create(folder())),
  createLsTool: (create) => lists(create(folder())),
  createReadToolDefinition: (create) => defined(create, (tool, _cwd, ctx) => reads(tool, ctx)),
  createBashToolDefinition: (create) => defined(create, (tool, _cwd, ctx) => runs(tool, ctx)),
  createWriteToolDefinition: (create) => defined(create, writes),
  createEditToolDefinition: (create) => defined(create, edits),
  createGrepToolDefinition: (create) => defined(create, (tool, _cwd, ctx) => greps(tool, ctx)),
  createFindToolDefinition: (create) => defined(create, (tool, _cwd, ctx) => finds(tool, ctx)),
  createLsToolDefinition: (create) => defined(create, (tool, _cwd, ctx) => lists(tool, ctx)),
  createReadOnlyTools: (create) =>
    expect(create(folder()).map(({ name }) => name)).toEqual(["read", "grep", "find", "ls"]),
  createLocalBashOperations: async (create) => {
    const chunks: Buffer[] = [];
    const { exitCode } = await create().exec("echo out; exit 3", folder(), {
      onData: (data) => void chunks.push(data),
    });
    expect([exitCode, Buffer.concat(chunks).toString()]).toEqual([3, "out\n"]);
  },
  defineTool: (define) => {
    const tool = {
      name: "t",
      label: "t",
      description: "t",
      parameters: {},
      execute: async () => ({ content: [], details: 1 }),
    };
    expect(define(tool)).toBe(tool);
  },
  isToolCallEventType: (is) => {
    const event = { type: "tool_call" as const, toolCallId: "1", toolName: "bash" as const, input: { command: "x" } };
    expect([is("bash", event), is("read", event)]).toEqual([true, false]);
  },
  isBashToolResult: (is) => {
    const event = (toolName: string) => ({
      type: "tool_result" as const,
      toolName,
      toolCallId: "1",
      input: {},
      content: [],
      details: undefined,
      isError: false,
    });
    expect([is(event("bash")), is(event("mine"))]).toEqual([true, false]);
  },
  generateDiffString: (generate) => expect(generate("a\nb\n", "a\nc\n").diff).toMatch(/-\s*2 b[\s\S]*\+\s*2 c/),
  generateUnifiedPatch: (generate) =>
    expect(generate("x.txt", "a\n", "b\n")).toMatch(/--- .*x\.txt\n\+\+\+ .*x\.txt\n@@ -1,1 \+1,1 @@\n-a\n\+b/),
  renderDiff: (render, { generateDiffString }) => {
    const shown = render(generateDiffString("a\nb\n", "a\nc\n").diff);
    expect(shown).toMatch(/b[\s\S]*c/);
  },
  resizeImage: async (resize) => {
    const dot = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    expect(await resize(dot, "image/png")).toMatchObject({ mimeType: "image/png", width: 1, height: 1 });
  },
  convertToLlm: (convert) => {
    const note = { role: "custom" as const, customType: "n", content: "note", display: true, timestamp: 1 };
    expect(convert([user, note])).toMatchObject([{ role: "user" }, { role: "user", content: [{ text: "note" }] }]);
  },
  serializeConversation: (serialize) => expect(serialize([user])).toMatch(/user[\s\S]*hi/i),
  buildSessionContext: (build) => {
    const entry = {
      type: "message" as const,
      id: "1",
      parentId: null,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: user,
    };
    expect(build([entry]).messages).toMatchObject([{ role: "user", content: "hi" }]);
    expect(build([entry], null).messages).toEqual([]);
  },
  loadSkills: (load) => {
    const cwd = folder();
    mkdirSync(join(cwd, "s"));
    writeFileSync(join(cwd, "s", "SKILL.md"), "---\nname: s\ndescription: D\n---\nBody");
    const { skills } = load({ cwd, agentDir: cwd, skillPaths: [join(cwd, "s")], includeDefaults: false });
    expect(skills).toMatchObject([{ name: "s", description: "D" }]);
  },
  SessionManager: (SessionManager) => {
    const session = SessionManager.inMemory("/x");
    const id = session.appendMessage(user);
    session.appendCustomEntry("mine", { a: 1 });
    expect([session.getEntries().length, session.getEntry(id)?.type]).toEqual([2, "message"]);
    session.branch(id);
    expect(session.getLeafId()).toBe(id);
  },
  SettingsManager: (SettingsManager) =>
    expect(SettingsManager.inMemory({ theme: "light" }).getSettings().theme).toBe("light"),
  ModelRegistry: (ModelRegistry, { ModelRuntime }) => {
    const models = new ModelRegistry(new ModelRuntime({ agentDir: folder({}) }));
    expect([models.find("nobody", "x"), models.getAll().length > 0]).toEqual([undefined, true]);
  },
  createAgentSession: async (create, { SessionManager }) => {
    const cwd = folder();
    const { session } = await create({
      cwd,
      agentDir: cwd,
      sessionManager: SessionManager.inMemory(cwd),
      tools: ["read"],
    });
    expect(session.getActiveToolNames()).toEqual(["read"]);
    session.dispose();
  },
  createExtensionRuntime: (create) => {
    const { actions } = create();
    expect(() => actions.getActiveTools()).toThrow("Extension runtime not initialized.");
  },
  Theme: (Theme, { initTheme }) => {
    initTheme("dark");
    expect([typeof Theme.prototype.fg, typeof Theme.prototype.bold]).toEqual(["function", "function"]);
  },
  getMarkdownTheme: (get, { initTheme }) => {
    initTheme("dark");
    expect(get().heading("x")).toContain("x");
  },
  getSelectListTheme: (get) => expect(get().selectedText("x")).toContain("x"),
  getSettingsListTheme: (get) => expect(get().value("x", true)).toContain("x"),
  highlightCode: (highlight) => expect(highlight("const a = 1;", "typescript").join("\n")).toContain("const"),
  getLanguageFromPath: (get) =>
    expect([get("a/b.ts"), get("Makefile"), get("x.unknown")]).toEqual(["typescript", "makefile", undefined]),
  keyText: (text) => expect(text("app.tools.expand")).toBe("ctrl+o"),
  keyHint: (hint) => expect(hint("app.tools.expand", "more")).toMatch(/ctrl\+o.* more/),
  rawKeyHint: (hint) => expect(hint("x", "does it")).toMatch(/x.* does it/),
  ModelSelectorComponent: (Selector) => {
    const model = (id: string) => ({ id, name: id, provider: "p" }) as never;
    const models = { getAvailableSnapshot: () => [model("red"), model("blue")] };
    const said: string[] = [];
    const open = (scope: string[], search?: string) =>
      new Selector(
        screen,
        model("red"),
        models,
        scope.map((id) => ({ model: model(id) })),
        ({ id }) => void said.push(id),
        () => void said.push("cancel"),
        search,
        ({ id }) => void said.push(`default ${id}`),
        { provider: "p", id: "blue" },
      );
    const list = open([]);
    expect(list.render(60).join("\n")).toMatch(/✓ red[\s\S]*blue[^\n]*default/);
    for (const key of ["\x1b[B", "\r"]) list.handleInput(key);
    open([], "blu").handleInput("\r");
    open([]).handleInput("\x1b");
    expect(said).toEqual(["blue", "blue", "cancel"]);
    expect(open(["blue"]).render(60).join("\n")).not.toContain("red");
  },
  DynamicBorder: (Border) => expect(new Border((text) => `<${text}>`).render(3)).toEqual(["<───>"]),
  BorderedLoader: (Loader) => {
    const theme = { fg: (_token: string, text: string) => text } as never;
    const loader = new Loader(screen, theme, "Loading it");
    onTestFinished(() => loader.dispose());
    let aborted = false;
    loader.onAbort = () => {
      aborted = true;
    };
    expect(loader.render(40).join("\n")).toContain("Loading it");
    loader.handleInput("\x1b");
    expect([aborted, loader.signal.aborted]).toEqual([true, true]);
  },
  CustomEditor: (CustomEditor) => {
    const list = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain };
    const keys = { matches: (data: string, id: string) => data === "\x0f" && id === "app.tools.expand" };
    const editor = new CustomEditor(screen, { borderColor: plain, selectList: list }, keys as never);
    const done: string[] = [];
    editor.onAction("app.tools.expand", () => done.push("expand"));
    for (const key of ["a", "\x0f"]) editor.handleInput(key);
    expect([editor.getText(), done]).toEqual(["a", ["expand"]]);
  },
  copyToClipboard: async (copy) => {
    const written: string[] = [];
    const tui = { terminal: { write: (text: string) => void written.push(text) } } as unknown as TUI;
    vi.stubEnv("PATH", "/nowhere");
    onTestFinished(() => void vi.unstubAllEnvs());
    await copy("text", tui);
    // No program for it here: the terminal is asked.
    expect(written).toEqual([`\x1b]52;c;${Buffer.from("text").toString("base64")}\x07`]);
  },
});
