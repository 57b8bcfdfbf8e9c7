import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PiFixture, usePi } from "./pi.js";

const start = usePi();

/** Writes files below the agent directory (`agent/...`) or the project. */
function write(pi: PiFixture, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith("agent/") ? join(pi.agentDir, name.slice(6)) : join(pi.cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const answer = { blocks: [{ type: "text" as const, text: "fine" }] };
const loud = (word: string) => `export default (pi) => pi.on("session_start", () => { console.log("${word}"); });`;

describe("a start with extensions", () => {
  it("loads those of the user, a trusted project and the command line; what they print goes to stderr", async () => {
    const pi = await start([answer, answer, answer]);
    write(pi, {
      "agent/extensions/a.ts": loud("from user"),
      ".pi/extensions/b.ts": loud("from project"),
      "named.ts": loud("from command line"),
    });
    const plain = await pi.pi(["-p", "hi", "-e", "named.ts"]);
    expect(plain).toMatchObject({ code: 0, stdout: "fine\n", stderr: "from command line\nfrom user\n" });
    const trusted = await pi.pi(["-p", "hi", "--approve"]);
    expect(trusted).toMatchObject({ code: 0, stdout: "fine\n", stderr: "from project\nfrom user\n" });
    expect(await pi.pi(["-p", "hi", "-ne", "--approve"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("does not even parse the code of a project that is not trusted", async () => {
    const pi = await start([answer]);
    write(pi, { ".pi/extensions/b.ts": "this is ( no code" });
    expect(await pi.pi(["-p", "hi"])).toMatchObject({ code: 0, stdout: "fine\n", stderr: "" });
    expect(await pi.pi(["-p", "hi", "--approve"])).toMatchObject({ code: 1, stdout: "" });
  });

  it("lets extensions of the user decide about a project", async () => {
    const pi = await start([answer]);
    write(pi, {
      "agent/extensions/a.ts": `export default (pi) => pi.on("project_trust", ({ cwd }, ctx) => { ctx.ui.notify("asked about " + cwd); return { trusted: "yes" }; });`,
      ".pi/extensions/b.ts": loud("from project"),
    });
    const { stderr } = await pi.pi(["-p", "hi"]);
    expect(stderr).toBe(`asked about ${pi.cwd}\nfrom project\n`);
  });

  it.each([[["-p", "hi"]], [["--mode", "json", "hi"]], [["--mode", "rpc"]]])(
    "%j lists every load error and ends",
    async (args) => {
      const pi = await start([]);
      write(pi, {
        "agent/extensions/bad.ts": "export default (pi) => {\n  throw new Error('boom');\n};",
        "agent/extensions/none.ts": "export const a = 1;",
        "agent/extensions/ok.ts": "export default () => {}",
      });
      const { code, stderr, stdout } = await pi.pi(args);
      const folder = join(pi.agentDir, "extensions");
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr.split("\n")).toEqual([
        expect.stringMatching(`^Error: Failed to load extension "${folder}/bad.ts": boom \\(${folder}/bad.ts:2`),
        `Error: Failed to load extension "${folder}/none.ts": Extension does not export a valid factory function: ${folder}/none.ts`,
        'Hint: Start without extensions using "pi -ne".',
        "",
      ]);
    },
  );

  it("options that extensions registered are theirs", async () => {
    const pi = await start([answer]);
    write(pi, {
      "agent/extensions/a.ts": `export default (pi) => {
        pi.registerFlag("plan", { type: "boolean" });
        pi.registerFlag("depth", { type: "string", default: "1" });
        pi.on("session_start", () => { console.log(JSON.stringify([pi.getFlag("plan"), pi.getFlag("depth")])); });
      };`,
    });
    expect((await pi.pi(["-p", "hi", "--plan", "--depth=3"])).stderr).toBe('[true,"3"]\n');
    expect(await pi.pi(["-p", "hi", "--depth"])).toMatchObject({
      code: 1,
      stderr: 'Error: Extension flag "--depth" requires a value\nIts value is the next word, or follows behind =.\n',
    });
    expect(await pi.pi(["-p", "hi", "--nope"])).toMatchObject({
      code: 1,
      stderr: "Error: Unknown option: --nope\nAll options: pi --help\n",
    });
  });

  it("a provider of an extension answers", async () => {
    const pi = await start([]);
    write(pi, {
      "agent/extensions/p.ts": `
        import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
        export default (pi) => pi.registerProvider("mine", {
          api: "mine-api", baseUrl: "http://none.invalid", apiKey: "k",
          models: [{ id: "x", name: "X", reasoning: false, input: ["text"], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 1000, maxTokens: 100 }],
          streamSimple(model, context) {
            const stream = createAssistantMessageEventStream();
            const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
            const message = { role: "assistant", content: [{ type: "text", text: "from " + model.id }], api: model.api, provider: model.provider, model: model.id, usage, stopReason: "stop", timestamp: Date.now() };
            stream.push({ type: "start", partial: message });
            stream.push({ type: "done", reason: "stop", message });
            stream.end(message);
            return stream;
          },
        });`,
    });
    expect(await pi.run(["-p", "--model", "mine/x", "hi"])).toMatchObject({ code: 0, stdout: "from x\n", stderr: "" });
  });
});

describe("extensions in RPC mode", () => {
  it("ask the user over the wire, also while the session begins", async () => {
    const pi = await start([answer]);
    write(pi, {
      "agent/extensions/a.ts": `export default (pi) => {
        pi.on("session_start", async (_event, ctx) => {
          const name = await ctx.ui.input("Name?", "anything");
          ctx.ui.notify(ctx.mode + " " + ctx.hasUI + " " + name, "warning");
        });
        pi.registerCommand("ask", { description: "Asks", async handler(args, ctx) {
          const chosen = await ctx.ui.select("Which?", ["a", "b"]);
          const sure = await ctx.ui.confirm("Sure?", "Really", { timeout: 60000 });
          const late = await ctx.ui.select("Late", ["x"], { timeout: 30 });
          const text = await ctx.ui.editor("Text", "before");
          const aborted = await ctx.ui.input("Never", undefined, { signal: AbortSignal.abort() });
          ctx.ui.setStatus("s", "on"); ctx.ui.setStatus("s", undefined);
          ctx.ui.setWidget("w", ["line"], { placement: "belowEditor" }); ctx.ui.setWidget("w", () => ({}));
          ctx.ui.setTitle("T"); ctx.ui.pasteToEditor("P");
          const rest = [await ctx.ui.custom(() => ({})), ctx.ui.getEditorText(), ctx.ui.getAllThemes(), ctx.ui.setTheme("x"), ctx.ui.theme.fg("accent", "t")];
          ctx.ui.notify(JSON.stringify([chosen, sure, late, text, aborted, args, rest]));
        } });
      };`,
    });
    const rpc = pi.rpc();
    const asked = (method: string) => rpc.until((record) => record["method"] === method, method);
    const reply = async (method: string, fields: object, title?: string) => {
      const { id } = await rpc.until(
        (record) => record["method"] === method && (!title || record["title"] === title),
        method,
      );
      rpc.send({ type: "extension_ui_response", id, ...fields });
    };
    // Commands wait until the session has begun.
    const state = rpc.call("get_state");
    await reply("input", { value: "me" });
    expect(await asked("notify")).toMatchObject({ message: "rpc true me", notifyType: "warning" });
    await state;
    const { commands } = await rpc.ok("get_commands");
    expect(commands).toEqual([
      {
        name: "ask",
        description: "Asks",
        source: "extension",
        path: expect.stringMatching(/a\.ts$/),
        sourceInfo: expect.objectContaining({ source: "auto", scope: "user" }),
      },
    ]);
    const done = rpc.call("prompt", { message: "/ask it" });
    rpc.send({ type: "extension_ui_response", id: "nobody", value: "x" });
    await reply("select", { value: "b" }, "Which?");
    await reply("confirm", { value: "not a boolean" });
    await reply("editor", { value: "after" });
    expect(await done).toMatchObject({ success: true, data: { disposition: "handled" } });
    const requests = rpc.records.filter(({ type }) => type === "extension_ui_request");
    const last = requests.at(-1);
    expect(JSON.parse(last?.["message"])).toEqual([
      "b",
      false,
      null,
      "after",
      null,
      "it",
      [null, "", [], { success: false, error: "Theme switching not supported in RPC mode" }, "t"],
    ]);
    expect(requests.map(({ method }) => method)).toEqual([
      ...["input", "notify", "select", "confirm", "select", "editor", "setStatus", "setStatus", "setWidget"],
      ...["setTitle", "set_editor_text", "notify"],
    ]);
    expect(requests.find(({ method }) => method === "confirm")).toMatchObject({
      title: "Sure?",
      message: "Really",
      timeout: 60000,
    });
    expect(rpc.garbage).toEqual([]);
  });

  it("tell errors before the event, replace sessions, reload and end the program", async () => {
    const pi = await start([answer]);
    write(pi, {
      "agent/extensions/a.ts": `export default (pi) => {
        pi.on("turn_start", () => { throw new Error("boom"); });
        pi.on("session_start", ({ reason }, ctx) => ctx.ui.notify("start " + reason));
        pi.registerCommand("new", { handler: async (_args, ctx) => { await ctx.newSession(); } });
        pi.registerCommand("reload", { handler: async (_args, ctx) => { await ctx.reload(); } });
        pi.registerCommand("quit", { handler: async (_args, ctx) => { ctx.shutdown(); } });
      };`,
    });
    const rpc = pi.rpc();
    await rpc.run("hi");
    const types = rpc.records.map(({ type }) => type);
    expect(types[types.indexOf("extension_error") + 1]).toBe("turn_start");
    const first = (await rpc.ok("get_state"))["sessionId"];
    await rpc.ok("prompt", { message: "/new" });
    expect((await rpc.ok("get_state"))["sessionId"]).not.toBe(first);
    write(pi, { "agent/extensions/b.ts": "export default () => { throw new Error('late'); }" });
    await rpc.ok("prompt", { message: "/reload" });
    const notes = rpc.records.filter(({ method }) => method === "notify").map(({ message }) => message);
    expect(notes).toEqual(["start startup", "start new", "start reload"]);
    expect(rpc.records.find(({ event }) => event === "load")).toMatchObject({
      type: "extension_error",
      extensionPath: join(pi.agentDir, "extensions/b.ts"),
      error: expect.stringMatching(/late/),
    });
    await rpc.ok("prompt", { message: "/quit" });
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    expect(rpc.garbage).toEqual([]);
  });
});

describe("an extension that misbehaves", () => {
  it("throws in every handler: the run goes on, each failure is told once, /reload cleans up", async () => {
    const pi = await start([answer, answer, answer]);
    const events = [
      "session_start",
      "resources_discover",
      "input",
      "before_agent_start",
      "agent_start",
      "turn_start",
      "message_start",
      "message_update",
      "message_end",
      "context",
      "before_provider_headers",
      "before_provider_request",
      "after_provider_response",
      "turn_end",
      "agent_end",
      "agent_before_settle",
      "agent_settled",
      "session_shutdown",
    ];
    write(pi, {
      "agent/extensions/a.ts": `export default (pi) => {
        for (const name of ${JSON.stringify(events)}) pi.on(name, () => { throw new Error("boom " + name); });
        pi.registerCommand("reload", { handler: (_args, ctx) => ctx.reload() });
      };`,
    });
    const rpc = pi.rpc();
    await rpc.run("one");
    const run = await rpc.run("two");
    expect(run.filter(({ type }) => type === "extension_error")).toEqual([]);
    const told = rpc.records.filter(({ type }) => type === "extension_error").map(({ event }) => event);
    expect(told.toSorted()).toEqual(events.filter((name) => name !== "session_shutdown").toSorted());
    expect((await rpc.ok("get_last_assistant_text"))["text"]).toBe("fine");
    write(pi, { "agent/extensions/a.ts": "export default () => {}" });
    await rpc.ok("prompt", { message: "/reload" });
    const from = rpc.records.length;
    await rpc.run("three");
    expect(rpc.records.slice(from).filter(({ type }) => type === "extension_error")).toEqual([]);
  });

  it("never answers: an abort ends the run within a second", async () => {
    const pi = await start([answer, answer]);
    write(pi, {
      "agent/extensions/a.ts": `export default (pi) => {
        let hang = true;
        for (const name of ["context", "message_end", "turn_end", "agent_end", "agent_settled"]) pi.on(name, () => hang ? new Promise(() => {}) : undefined);
        pi.registerCommand("free", { handler: async () => { hang = false; } });
      };`,
    });
    const rpc = pi.rpc();
    await rpc.ok("prompt", { message: "hi" });
    await rpc.until(({ type }) => type === "message_start", "message_start");
    const began = performance.now();
    await rpc.ok("abort");
    expect(performance.now() - began).toBeLessThan(1500);
    await rpc.settled();
    await rpc.ok("prompt", { message: "/free" });
    const run = await rpc.run("again");
    expect(run.at(-1)).toMatchObject({ type: "agent_settled", aborted: false });
  });

  it("leaks timers, leaves promises alone, keeps old contexts, prints: told once, and the agent goes on", async () => {
    const pi = await start([answer, answer]);
    write(pi, {
      "agent/extensions/a.ts": `let old;
      export default (pi) => {
        pi.on("session_start", (_event, ctx) => {
          if (old) setInterval(() => old.cwd, 10);
          old ??= ctx;
          setInterval(() => { throw new Error("timer"); }, 10);
          Promise.reject(new Error("alone"));
          process.stdout.write("printed");
        });
      };`,
    });
    const rpc = pi.rpc();
    await rpc.run("one");
    await rpc.ok("new_session");
    const error = (text: RegExp) =>
      rpc.until((record) => record["type"] === "extension_error" && text.test(record["error"]), String(text));
    const path = join(pi.agentDir, "extensions/a.ts");
    expect(await error(/^timer$/)).toMatchObject({ event: "uncaughtException", extensionPath: path });
    expect(await error(/^alone$/)).toMatchObject({ event: "unhandledRejection", extensionPath: path });
    expect(await error(/extension ctx is stale/)).toMatchObject({ event: "uncaughtException", extensionPath: path });
    await rpc.run("two");
    const told = rpc.records.filter(({ type }) => type === "extension_error").map((record) => record["error"]);
    expect(told).toHaveLength(new Set(told).size);
    expect(rpc.stderr).toMatch(/printed/);
    expect(rpc.garbage).toEqual([]);
  });
});

describe("what comes with extensions", () => {
  it("prompt templates, skills and packages of the user and of a trusted project, and what extensions name", async () => {
    const pi = await start([answer, answer, answer]);
    const skill = (name: string) => `---\nname: ${name}\ndescription: about ${name}\n---\nBody of ${name}.`;
    write(pi, {
      "agent/prompts/say.md": "Say $1 please.",
      ".pi/prompts/say.md": "Project says $1.",
      ".pi/skills/mine/SKILL.md": skill("mine"),
      "agent/package/extensions/p.ts": loud("from package"),
      "agent/package/prompts/packed.md": "Packed $@.",
      "agent/extensions/off.ts": loud("switched off"),
      "agent/extensions/more.ts": `export default (pi) => pi.on("resources_discover", () => ({ promptPaths: ["${pi.cwd}/more"] }));`,
      "more/found.md": "Found it.",
      "agent/settings.json": JSON.stringify({ packages: ["./package"], extensions: ["-extensions/off.ts"] }),
    });
    const lastText = () => pi.server.requests.at(-1)?.conversation.turns.findLast((turn) => turn.role === "user");
    expect((await pi.pi(["-p", "/say hello"])).stderr).toBe("from package\n");
    expect(lastText()).toMatchObject({ text: "Say hello please." });
    await pi.pi(["-p", "/say hello", "--approve"]);
    expect(lastText()).toMatchObject({ text: "Project says hello." });
    const rpc = pi.rpc(["--approve"]);
    const { commands } = await rpc.ok("get_commands");
    expect(commands.map(({ name, source, location }: Record<string, string>) => [name, source, location])).toEqual([
      ["say", "prompt", "project"],
      ["packed", "prompt", "user"],
      ["found", "prompt", "path"],
      ["skill:mine", "skill", "project"],
    ]);
    await rpc.run("/found");
    expect(lastText()).toMatchObject({ text: "Found it." });
  });
});
