/** What may wait for what, and what becomes of prompts that something overtakes. Source: protocol.md sections 1.3, 1.4. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptedServerOptions } from "@pi/testkit";
import { describe, expect, it } from "vitest";
import { RpcClient } from "../src/modes/rpc/rpc-client.js";
import { cleanEnvironment, cliPath, usePi } from "./pi.js";
import type { AnyRecord } from "./rpc-process.js";

const start = usePi();

const answer: ScriptedServerOptions["script"] = ({ conversation }) => {
  const last = conversation.turns.findLast((turn) => turn.role === "user");
  const text = last?.role === "user" ? last.text : "";
  if (conversation.lastResults.length > 0) return { blocks: [{ type: "text", text: "after the tool" }] };
  if (text.startsWith("tool"))
    return { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "echo a; sleep 5" } }] };
  if (text.startsWith("stream")) return { blocks: [{ type: "text", text: "word ".repeat(60) }], eventDelayMs: 60 };
  return { blocks: [{ type: "text", text: "an answer" }] };
};

/** RPC mode with an extension; `input` handlers of prompts that begin with "held" answer when a file is there. */
async function withExtension(body: string, args: string[] = [], env = {}) {
  const pi = await start(answer);
  const extension = pi.write(
    "extension.ts",
    `import { existsSync, writeFileSync } from "node:fs";
     export default function (pi) {
       const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
       pi.on("input", async (event) => {
         if (!event.text.startsWith("held")) return;
         writeFileSync("asked", "");
         while (!existsSync("go")) await pause(10);
       });
       ${body}
     }`,
  );
  const rpc = pi.rpc(["-e", extension, ...args], env);
  await rpc.ok("get_state");
  const asked = async () => {
    while (!existsSync(join(pi.cwd, "asked"))) await sleep(10);
  };
  return { pi, rpc, asked, go: () => writeFileSync(join(pi.cwd, "go"), "") };
}

const response = (id: string) => (record: AnyRecord) => record["type"] === "response" && record["id"] === id;

describe("a prompt that extensions still look at", () => {
  it.each([
    ["new_session", {}],
    ["switch_session", { sessionPath: "another.jsonl" }],
    ["clone", {}],
    ["abort", {}],
  ])("is refused when %s overtakes it, and never runs", async (type, fields) => {
    const { pi, rpc, asked, go } = await withExtension("");
    await rpc.run("first");
    const { sessionFile } = await rpc.ok("get_state");
    const before = readFileSync(sessionFile, "utf8");
    rpc.send({ id: "held", type: "prompt", message: "held" });
    await asked();
    // It waits for the one before it, and shares its fate.
    rpc.send({ id: "behind", type: "prompt", message: "behind" });
    expect((await rpc.call(type, fields))["success"]).toBe(true);
    for (const id of ["held", "behind"]) {
      const refused = await rpc.until(response(id), id);
      expect(refused).toMatchObject({ success: false, error: expect.stringMatching(/aborted before|has ended/) });
    }
    go();
    await sleep(200);
    expect(readFileSync(sessionFile, "utf8")).toBe(before);
    expect(pi.server.requests).toHaveLength(1);
    // The session that is there now is in order.
    await rpc.run("after");
    expect(rpc.garbage).toEqual([]);
  });

  it("is begun when the replacement was cancelled", async () => {
    const { rpc, asked, go } = await withExtension(`pi.on("session_before_switch", () => ({ cancel: true }));`);
    rpc.send({ id: "held", type: "prompt", message: "held" });
    await asked();
    expect(await rpc.ok("new_session")).toEqual({ cancelled: true });
    go();
    expect(await rpc.until(response("held"), "held")).toMatchObject({ data: { disposition: "started" } });
    await rpc.settled();
  });
});

describe("commands of extensions", () => {
  const commands = `
    pi.registerCommand("ask", { handler: async (_args, ctx) => ctx.ui.notify("asked " + (await ctx.ui.input("?"))) });
    pi.registerCommand("hi", { handler: async (_args, ctx) => ctx.ui.notify("hi") });
    pi.registerCommand("wait", { handler: async (_args, ctx) => ctx.waitForIdle() });`;

  it("run at once behind a prompt that is judged", async () => {
    const { rpc, asked, go } = await withExtension(commands);
    rpc.send({ id: "held", type: "prompt", message: "held" });
    await asked();
    expect(await rpc.ok("prompt", { message: "/hi" })).toEqual({ disposition: "handled" });
    expect(rpc.records.some(response("held"))).toBe(false);
    go();
    await rpc.settled();
  });

  it("hold nothing back while their dialog is open", async () => {
    const { rpc } = await withExtension(commands);
    rpc.send({ id: "ask", type: "prompt", message: "/ask" });
    const { id } = await rpc.until(({ method }) => method === "input", "dialog");
    expect(await rpc.ok("prompt", { message: "/hi" })).toEqual({ disposition: "handled" });
    await rpc.run("hello");
    expect(rpc.records.some(response("ask"))).toBe(false);
    rpc.send({ type: "extension_ui_response", id, value: "me" });
    expect(await rpc.until(response("ask"), "ask")).toMatchObject({ data: { disposition: "handled" } });
    expect(rpc.records).toContainEqual(expect.objectContaining({ method: "notify", message: "asked me" }));
  });

  it("that wait for the run do not keep a follow-up from being queued", async () => {
    const { rpc } = await withExtension(commands);
    await rpc.ok("prompt", { message: "stream" });
    await rpc.until(({ type }) => type === "message_update", "delta");
    rpc.send({ id: "wait", type: "prompt", message: "/wait" });
    const followUp = await rpc.ok("prompt", { message: "more", streamingBehavior: "followUp" });
    expect(followUp).toEqual({ disposition: "queued" });
    await rpc.ok("abort");
    await rpc.until(response("wait"), "wait");
  });
});

describe("the end of the input", () => {
  it.each([
    ["export_html", { success: true }],
    ["bash", { success: true, data: { output: "hi\n", exitCode: 0 } }],
    ["compact", { success: false }],
    ["set_model", { success: true }],
    ["steer", { success: true }],
    ["clone", { success: true }],
  ])("%s before it gets its answer", async (type, expected) => {
    const pi = await start(answer);
    const first = pi.rpc([]);
    await first.run("Hello");
    const { sessionFile } = await first.ok("get_state");
    first.child.stdin.end();
    await first.exit;
    const rpc = pi.rpc(["--session", sessionFile]);
    const fields = { command: "echo hi", provider: "scripted", modelId: "m1", message: "x" };
    rpc.child.stdin.end(`${JSON.stringify({ id: "last", type, ...fields })}\n`);
    expect(await rpc.exit).toEqual({ code: 0, signal: null });
    expect(rpc.records.filter(response("last"))).toMatchObject([expected]);
    if (type === "export_html") expect(existsSync(rpc.records.find(response("last"))?.["data"].path)).toBe(true);
  });

  it("ends a command that goes on, and answers it", async () => {
    const { rpc } = await withExtension("");
    rpc.send({ id: "b", type: "bash", command: "echo on; sleep 60" });
    await rpc.until(({ type }) => type === "bash_execution_update", "output");
    rpc.child.stdin.end();
    expect((await rpc.exit).code).toBe(0);
    expect(rpc.records.find(response("b"))).toMatchObject({ data: { cancelled: true, output: "on\n" } });
  });

  const marks = `
    const mark = () => writeFileSync("shutdown", "");
    pi.registerCommand("ask", { handler: async (_args, ctx) => void (await ctx.ui.input("?")) });
    pi.on("session_start", async (_event, ctx) => { if (process.env.AT_START) await ctx.ui.confirm("start", ""); });
    pi.on("session_shutdown", async (_event, ctx) => { if (process.env.AT_END) await ctx.ui.confirm("end", ""); mark(); });`;

  it.each([
    ["at the start", { AT_START: "1" }, "EOF", 0],
    ["at the start", { AT_START: "1" }, "SIGTERM", 143],
    ["of a command", {}, "EOF", 0],
    ["of a command", {}, "SIGTERM", 143],
    ["at the end", { AT_END: "1" }, "EOF", 0],
  ])("drops a dialog %s (%o, %s)", async (_when, env, how, code) => {
    const pi = await start(answer);
    const extension = pi.write(
      "extension.ts",
      `import { writeFileSync } from "node:fs"; export default function (pi) { ${marks} }`,
    );
    const rpc = pi.rpc(["-e", extension, "--no-session"], env);
    rpc.send({ id: "ask", type: "prompt", message: "/ask" });
    await rpc.until(({ type }) => type === "extension_ui_request", "dialog");
    const begun = performance.now();
    if (how === "EOF") rpc.child.stdin.end();
    else rpc.child.kill("SIGTERM");
    expect((await rpc.exit).code).toBe(code);
    // Less than an end in disorder takes.
    expect(performance.now() - begun).toBeLessThan(4500);
    expect(existsSync(join(pi.cwd, "shutdown"))).toBe(true);
  });

  it("RpcClient.stop() lets extensions end in order, with a dialog open", async () => {
    const pi = await start(answer);
    const extension = pi.write(
      "extension.ts",
      `import { writeFileSync } from "node:fs"; export default function (pi) { ${marks} }`,
    );
    const env = { ...cleanEnvironment(), HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir } as Record<string, string>;
    const client = new RpcClient({ cliPath, cwd: pi.cwd, env, args: ["-e", extension, "--no-session"] });
    await client.start();
    const dialog = new Promise<void>((resolve) => {
      client.onEvent((event) => {
        if ((event as { type: string }).type === "extension_ui_request") resolve();
      });
    });
    client.prompt("/ask").catch(() => {});
    await dialog;
    await client.stop();
    expect(existsSync(join(pi.cwd, "shutdown"))).toBe(true);
  });
});

describe("in the middle of a run", () => {
  const roles = (messages: AnyRecord[]) =>
    messages.map(({ role, stopReason }) => (stopReason ? `${role} ${stopReason}` : role));

  it.each(["stream", "tool"])("going to the file that is open finds all of it (%s)", async (kind) => {
    const { pi, rpc } = await withExtension("");
    await rpc.run("first");
    const { sessionFile } = await rpc.ok("get_state");
    await beginRun(rpc, kind);
    await rpc.ok("switch_session", { sessionPath: sessionFile });
    const { messages } = await rpc.ok("get_messages");
    expect(roles(messages).at(-1)).toBe("assistant aborted");
    const { entries } = await rpc.ok("get_entries");
    expect(entries).toHaveLength(readFileSync(sessionFile, "utf8").trimEnd().split("\n").length - 1);
    await rpc.run("more");
    const ids = pi.sessionEntries().slice(1);
    // One line of messages, each call with one result.
    expect(ids.every(({ parentId }, index) => index === 0 || parentId === ids[index - 1].id)).toBe(true);
    expect(JSON.stringify(ids)).not.toContain("interrupted");
  });

  it.each(["stream", "tool"])("a clone has all of it (%s)", async (kind) => {
    const { rpc } = await withExtension("");
    await rpc.run("first");
    await beginRun(rpc, kind);
    await rpc.ok("clone");
    const { messages } = await rpc.ok("get_messages");
    expect(roles(messages).at(-1)).toBe("assistant aborted");
    if (kind === "tool") expect(roles(messages)).toContain("toolResult");
    await rpc.run("more");
    expect(JSON.stringify((await rpc.ok("get_messages"))["messages"])).not.toContain("interrupted");
  });

  async function beginRun(rpc: Awaited<ReturnType<typeof withExtension>>["rpc"], kind: string): Promise<void> {
    const from = rpc.records.length;
    await rpc.ok("prompt", { message: kind });
    const hasBegun = ({ type, partialResult }: AnyRecord) =>
      type === "message_update" ? kind === "stream" : partialResult?.content.length > 0;
    await rpc.until(hasBegun, "begin", from);
  }
});
