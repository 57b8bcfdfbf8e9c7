import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, vi } from "vitest";
import { PiFixture } from "../../pi.js";
import { testsOf } from "../coverage/claims.js";
import { examplesFolder } from "../coverage/contract.js";
import { calls, exampleSession, says } from "../example-session.js";

describe("parrot", () => {
  const it = testsOf(["parrot"]);
  it("signs in, answers, and flies away", async ({ covers }) => {
    const at = await exampleSession(["parrot.ts"]);
    const { modelRuntime } = at.session;
    const polly = () => modelRuntime.getModel("parrot", "polly");
    const login = (word: string) =>
      modelRuntime.login("parrot", "oauth", {
        prompt: async ({ message }) => (message === "What does Polly want?" ? word : ""),
        notify: () => {},
      });
    await expect(login("grapes")).rejects.toThrow("Polly does not want that.");
    await login("cracker");
    const model = polly();
    if (!model) throw new Error("no parrot");
    await at.session.setModel(model);
    await at.session.prompt("Hello there");
    expect(at.session.getLastAssistantText()).toBe("Hello there! crunch");
    const deltas = at.events.flatMap((event) =>
      event.type === "message_update" && event.assistantMessageEvent.type === "text_delta"
        ? event.assistantMessageEvent.delta
        : [],
    );
    expect(deltas).toEqual(["Hello ", "there! ", "crunch"]);
    covers("pi.registerProvider");
    await at.session.prompt("/shoo");
    expect(polly()).toBeUndefined();
    expect(at.notes).toEqual(["It flew away."]);
    covers("pi.unregisterProvider");
  });
});

describe("stand-in", () => {
  const it = testsOf(["stand-in"]);
  it("sends requests elsewhere and back", async ({ covers }) => {
    const other = await PiFixture.start([says("from the other one")]);
    onTestFinished(() => other.close());
    const at = await exampleSession(["stand-in.ts"], [says("from the usual one")]);
    const url = other.server.baseUrl("anthropic-messages");
    await at.session.prompt(`/stand-in ${url}`);
    await at.session.prompt("who?");
    expect(at.session.getLastAssistantText()).toBe("from the other one");
    covers("models.registerProvider", "ctx.model");
    await at.session.prompt("/stand-in");
    await at.session.prompt("who?");
    expect(at.session.getLastAssistantText()).toBe("from the usual one");
    covers("models.unregisterProvider");
    expect(at.notes).toEqual([`scripted: ${url}`, `scripted: ${at.server.baseUrl("anthropic-messages")}`]);
  });
});

describe("two-minds", () => {
  const it = testsOf(["two-minds"]);
  it("thinks with the thorough model, then goes back", async ({ covers }) => {
    const status: string[] = [];
    const ui = { setStatus: (_key: string, text: string | undefined) => void status.push(text ?? "") };
    const at = await exampleSession(["two-minds.ts"], [says("deep"), says("quick")], {
      ui,
      flags: { thorough: "scripted/m2" },
    });
    await at.session.prompt("think: why?");
    await at.session.waitForIdle();
    expect(at.lastText()).toBe("why?");
    expect(at.server.requests[0]?.body).toMatchObject({ model: "m2", thinking: {} });
    covers("pi.setModel", "pi.setThinkingLevel", "models.find", "event:input");
    await at.session.prompt("hi");
    expect(at.server.requests[1]?.body).toMatchObject({ model: "m1" });
    expect(at.server.requests[1]?.body["thinking"]).toBeUndefined();
    covers("pi.getThinkingLevel", "ctx.model", "event:agent_settled");
    expect(status).toContain("m1 → m2 (set)");
    expect(status).toContain("m2 → m1 (set)");
    covers("event:model_select");
    expect(status).toContain("thinks high");
    covers("event:thinking_level_select");
    await at.session.prompt("/minds");
    const [m1] = at.session.modelRuntime.getModels().filter(({ id }) => id === "m1");
    at.session.setScopedModels(m1 ? [{ model: m1 }] : []);
    await at.session.prompt("/minds");
    expect(at.notes).toEqual(["scripted/m1, scripted/m2", "scripted/m1"]);
    covers("ctx.scopedModels", "models.getAvailable");
  });
});

describe("check-up", () => {
  const it = testsOf(["check-up", "parrot"]);
  it("reports on what the session works with", async ({ covers }) => {
    const script = [says("ok"), says("ok"), says("ok"), says("ok"), says("thanks")];
    const at = await exampleSession(["check-up.ts", "parrot.ts"], script);
    await at.session.prompt("/check-up");
    const [report = ""] = at.notes;
    const all = at.session.modelRuntime.getModels().length;
    expect(report.split("\n")).toEqual([
      "mode print, dialogs no, trusted yes",
      "retries off",
      `${all} models, of 1 providers with keys`,
      "models.json is fine",
      "extensions brought parrot",
      expect.stringMatching(/^scripted \(built in or yours\): key of 1 characters, from \S+, http:\/\/127/),
      "m1 answers by a key: stop, in pieces",
    ]);
    covers("ctx.mode", "ctx.hasUI", "ctx.isProjectTrusted", "pi.getSettings");
    covers("models.getAll", "models.getAvailable", "models.getError", "models.getRegisteredProviderIds");
    covers("models.getProviderDisplayName", "models.getProviderAuthStatus", "models.getApiKeyForProvider");
    covers("models.getProviderAuth", "models.getProvider", "models.hasConfiguredAuth", "models.isUsingOAuth");
    covers("models.stream", "models.streamSimple");
    await at.session.prompt("/check-up ask");
    await at.session.waitForIdle();
    expect(at.lastText()).toContain("models.json is fine");
    covers("pi.sendMessage");
  });

  it("knows signed-in providers of extensions, and what is wrong with models.json", async ({ covers }) => {
    const at = await exampleSession(["check-up.ts", "parrot.ts"], []);
    await at.session.modelRuntime.login("parrot", "oauth", { prompt: async () => "cracker", notify: () => {} });
    writeFileSync(join(at.agentDir, "models.json"), "{ no json");
    const polly = at.session.modelRuntime.getModel("parrot", "polly");
    if (polly) await at.session.setModel(polly);
    await at.session.prompt("/check-up");
    expect(at.notes[0]).toMatch(/^models\.json .*models\.json/m);
    covers("models.refresh", "models.getError");
    expect(at.notes[0]).toMatch(/^Parrot \(of an extension\): key of 6 characters, from stored, parrot:\/\/cage$/m);
    covers("models.getRegisteredProviderConfig", "models.getRegisteredNativeProvider");
    expect(at.notes[0]).toMatch(/^polly answers by a sign-in: stop, in pieces$/m);
    covers("models.isUsingOAuth");
  });
});

describe("flight-recorder", () => {
  const it = testsOf(["flight-recorder"]);
  it("records requests, tags them and caps answers", async ({ covers }) => {
    const flags = { recording: "log.jsonl", "max-tokens": "77" };
    const at = await exampleSession(["flight-recorder.ts"], [says("hello")], { flags });
    await at.session.prompt("hi");
    const [request] = at.server.requests;
    expect(request?.headers["x-session"]).toBe(at.session.sessionId);
    expect(request?.headers["user-agent"]).not.toMatch(/pi/);
    covers("event:before_provider_headers", "session.getSessionId");
    expect(request?.body["max_tokens"]).toBe(77);
    covers("event:before_provider_request");
    const lines = readFileSync(join(at.cwd, "log.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: "request", model: "m1", payload: { model: "m1", max_tokens: 77 } },
      { type: "response", status: 200, ms: expect.any(Number), contentType: expect.stringContaining("event-stream") },
    ]);
    covers("event:after_provider_response", "ctx.cwd", "ctx.model");
    expect(lines[0].characters).toBeGreaterThan(at.session.systemPrompt.length);
    covers("event:context_with_system");
  });
});

describe("errands", () => {
  const it = testsOf(["errands"]);
  it("runs tools from a tool, through the hooks of others", async ({ covers }) => {
    const list = [
      { tool: "bash", args: { command: "echo one" } },
      { tool: "bash", args: { command: "rm -r x" } },
      { tool: "read", args: {} },
      { tool: "errands", args: {} },
      { tool: "nobody", args: {} },
    ];
    const at = await exampleSession(
      ["errands.ts", "permission-gate.ts"],
      [calls("errands", { errands: list }), says("x")],
    );
    await at.session.prompt("go");
    const [text = ""] = at.lastResults();
    expect(text).toContain("bash: one");
    expect(text).toContain("bash failed: The user does not want these files deleted.");
    expect(text).toMatch(/read failed: .*path/s);
    covers("ctx.executeTool");
    expect(text).toContain("errands: not a tool for errands\n\nnobody: not a tool for errands");
    covers("ctx.tools", "pi.registerTool", "tool.execute");
  });
});

describe("task-list", () => {
  const it = testsOf(["task-list"]);
  it("keeps a list for each branch", async ({ covers }) => {
    const script = [
      calls("tasks", { action: "add", text: "sweep" }),
      says("a"),
      calls("tasks", { action: "done", number: 1 }),
      says("b"),
    ];
    const at = await exampleSession(["task-list.ts"], script);
    await at.session.prompt("one");
    const { system, tools } = at.server.requests[0]?.conversation ?? { system: "", tools: [] };
    expect(system).toContain("tasks: Keep a list of tasks");
    expect(system).toContain("- Keep the list of tasks true: set a task done as soon as it is.");
    expect(tools).toContainEqual(
      expect.objectContaining({ name: "tasks", description: expect.stringContaining("Keeps the list") }),
    );
    covers(
      "pi.registerTool",
      "tool.promptSnippet",
      "tool.promptGuidelines",
      "tool.name",
      "tool.description",
      "tool.parameters",
    );
    expect(at.lastResults()).toEqual(["1. [ ] sweep"]);
    covers("tool.execute");
    const leaf = at.session.sessionManager.getLeafId() ?? "";
    await at.session.prompt("two");
    await at.session.prompt("/tasks");
    await at.session.navigateTree(leaf);
    await at.session.prompt("/tasks");
    expect(at.notes).toEqual(["1. [x] sweep", "1. [ ] sweep"]);
    covers("event:session_tree", "session.getBranch");
  });

  it("takes calls of one answer one after another", async ({ covers }) => {
    const both = ["a", "b", "c"].map((text) => ({
      type: "toolCall" as const,
      name: "tasks",
      arguments: { action: "add", text },
    }));
    const at = await exampleSession(["task-list.ts"], [{ blocks: both }, says("x")]);
    await at.session.prompt("go");
    const order = at.events.flatMap((event) =>
      /^tool_execution_(start|end)$/.test(event.type) ? event.type.slice(15) : [],
    );
    expect(order).toEqual(["start", "end", "start", "end", "start", "end"]);
    expect(at.lastResults().at(-1)).toBe("1. [ ] a\n2. [ ] b\n3. [ ] c");
    covers("tool.executionMode");
  });
});

describe("dictionary", () => {
  const it = testsOf(["dictionary"]);
  it("is there when it is asked for, and understands its old arguments", async ({ covers }) => {
    const results: unknown[] = [];
    const at = await exampleSession(["dictionary.ts"], [calls("dictionary", { word: "Leaf" }), says("x")]);
    at.session.subscribe(
      (event) => event.type === "tool_execution_end" && results.push(event.result.structuredContent),
    );
    expect(at.session.getActiveToolNames()).not.toContain("dictionary");
    covers("tool.defaultActive");
    await at.session.prompt("/dictionary");
    expect(at.session.getActiveToolNames()).toContain("dictionary");
    expect(at.notes).toEqual(["reference: only reads"]);
    covers("pi.getAllTools", "tool.namespace", "tool.annotations");
    await at.session.prompt("go");
    expect(at.lastResults()).toEqual(["the entry a session goes on from"]);
    covers("tool.prepareArguments");
    expect(results).toEqual([{ meaning: "the entry a session goes on from" }]);
    expect(at.session.getToolDefinition("dictionary")?.outputSchema).toMatchObject({ type: "object" });
    covers("tool.outputSchema");
    expect(at.session.getAllTools().find(({ name }) => name === "dictionary")?.exposure).toBe("direct");
    covers("tool.exposure");
  });
});

describe("elsewhere", () => {
  const it = testsOf(["elsewhere"]);
  it("reads, writes and runs on the other side, for the model and for you", async ({ covers }) => {
    const script = [
      calls("write", { path: "sub/note.txt", content: "it's far" }),
      calls("read", { path: "sub/note.txt" }),
      calls("edit", { path: "sub/note.txt", edits: [{ oldText: "far", newText: "near" }] }),
      calls("bash", { command: "cat sub/note.txt; pwd" }),
      says("done"),
    ];
    let far = "";
    const at = await exampleSession(["elsewhere.ts"], script, {
      flags: { on: "host:/tmp" },
      prepare: (cwd) => {
        // An `ssh` that goes no farther than a folder beside.
        far = join(cwd, "..", "far");
        const bin = join(cwd, "..", "bin");
        for (const folder of [far, bin]) mkdirSync(folder);
        const program = `#!/bin/sh\n[ "$1" = host ] || exit 255\nexec sh -c "$(printf %s "$2" | sed 's#/tmp#${far}#g')"\n`;
        writeFileSync(join(bin, "ssh"), program);
        chmodSync(join(bin, "ssh"), 0o755);
        vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
      },
    });
    onTestFinished(() => void vi.unstubAllEnvs());
    await at.session.prompt("go");
    expect(at.server.requests[2]?.conversation.lastResults[0]?.text).toContain("it's far");
    expect(readFileSync(join(far, "sub/note.txt"), "utf8")).toBe("it's near");
    expect(at.lastResults()[0]).toContain(`it's near${far}`);
    covers("pi.registerTool", "pi.getFlag", "event:session_start");
    const { output } = await at.session.executeBash("ls sub");
    expect(output).toBe("note.txt\n");
    expect(() => readFileSync(join(at.cwd, "sub/note.txt"))).toThrow("ENOENT");
    covers("event:user_bash");
  });
});

describe("second-opinion", () => {
  const it = testsOf(["second-opinion"]);
  const question = calls("ask_user", { question: "Which?", choices: ["red", "blue"] });
  it("has no opinion when nobody is there", async ({ covers }) => {
    const at = await exampleSession(["second-opinion.ts"], [question, says("x")]);
    await at.session.prompt("go");
    expect(at.lastResults()).toEqual(["The user has no opinion."]);
    covers("ctx.hasUI");
  });
});

describe("delegate", () => {
  const it = testsOf(["delegate"]);
  it("lets other agents look, each with a question, and hands their answers back", async ({ covers }) => {
    const pi = await PiFixture.start(({ conversation }) => {
      const [first] = conversation.turns;
      const text = first?.role === "user" ? first.text : "";
      if (text === "main") {
        return conversation.lastResults.length > 0
          ? says("together")
          : calls("delegate", { questions: ["what is in a.txt?", "what is in b.txt?"] });
      }
      const [, name] = /in (\w\.txt)/.exec(text) ?? [];
      const [result] = conversation.lastResults;
      return result ? says(`It says ${result.text.trim()}`) : calls("read", { path: name ?? "" });
    });
    onTestFinished(() => pi.close());
    pi.write("a.txt", "apples");
    pi.write("b.txt", "pears");
    const { stdout } = await pi.pi(["--mode", "json", "-e", join(examplesFolder, "delegate.ts"), "main"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const end = events.find(({ type }) => type === "tool_execution_end");
    expect(end.result.content[0].text).toMatch(
      /## what is in a\.txt\?\n\nIt says apples[\s\S]*## what is in b\.txt\?\n\nIt says pears/,
    );
    expect(end.result.details.jobs).toHaveLength(2);
    expect(events.filter(({ type }) => type === "tool_execution_update").length).toBeGreaterThanOrEqual(2);
    // They get what is theirs: to look.
    const theirs = pi.server.requests.find(({ conversation }) => JSON.stringify(conversation.turns).includes("a.txt?"));
    const sub = pi.server.requests.filter(
      ({ conversation }) => !conversation.tools.some(({ name }) => name === "delegate"),
    );
    expect(theirs).toBeDefined();
    expect(
      sub.every(({ conversation }) => conversation.tools.every(({ name }) => /^(read|grep|find|ls)$/.test(name))),
    ).toBe(true);
    covers("ctx.model", "ctx.cwd", "tool.execute", "tool.label");
  });
});
