/** Fields of records that are easily got wrong. Source: protocol.md sections 1.4, 3, 7, 9. */
import { describe, expect, it } from "vitest";
import { usePi } from "./pi.js";
import type { AnyRecord } from "./rpc-process.js";

const start = usePi();
const say = (text: string) => ({ blocks: [{ type: "text" as const, text }] });

async function withExtension(body: string, args = ["--no-session"]) {
  const pi = await start(() => say("an answer"));
  const rpc = pi.rpc(["-e", pi.write("extension.ts", `export default function (pi) { ${body} }`), ...args]);
  await rpc.ok("get_state");
  return { pi, rpc };
}

const nested = `${"[".repeat(60_000)}1${"]".repeat(60_000)}`;

describe("what is echoed", () => {
  it.each([
    ["the id of a response", `{"id":${nested},"type":"abort"}`, `{"id":${nested},"type":"response","command":"abort"`],
    ["the id of a refusal", `{"id":${nested},"type":"no"}`, `{"id":${nested},"command":"no"`],
    ["an unknown type", `{"type":${nested}}`, '{"command":"[[['],
    ["the id of long data", `{"id":${nested},"type":"get_messages"}`, `{"id":${nested},"command":"get_messages"`],
  ])("%s may be nested however deeply", async (_what, line, expected) => {
    const pi = await start([]);
    const { stdout, code } = await pi.pi(["--mode", "rpc", "--no-session"], { stdin: `${line}\n{"type":"abort"}\n` });
    expect(code).toBe(0);
    const answers = stdout.trimEnd().split("\n");
    expect(answers).toHaveLength(2);
    const order = (text: string) => text.replace('"type":"response",', "");
    expect(order(answers[0] ?? "").startsWith(order(expected))).toBe(true);
  });

  it.each([["seven"], [7], [null], [{ a: [1] }], [""], [undefined]])("the id of a command's output: %o", async (id) => {
    const { rpc } = await withExtension("");
    rpc.send({ id, type: "bash", command: "echo hi" });
    const update = await rpc.until(({ type }) => type === "bash_execution_update", "update");
    expect(update).toEqual({ type: "bash_execution_update", ...(id !== undefined && { id }), delta: "hi\n" });
    await rpc.until(({ type, command }) => type === "response" && command === "bash", "response");
    expect(rpc.garbage).toEqual([]);
  });
});

describe("records", () => {
  it("a fork that an extension cancels still gives the prompt's text", async () => {
    const { rpc } = await withExtension(`pi.on("session_before_fork", () => ({ cancel: true }));`, []);
    await rpc.run("first");
    const { messages } = await rpc.ok("get_fork_messages");
    expect(await rpc.ok("fork", { entryId: messages[0].entryId })).toEqual({ text: "first", cancelled: true });
  });

  it("commands of extensions have the path of their extension", async () => {
    const { pi, rpc } = await withExtension(`pi.registerCommand("hi", { description: "d", handler: async () => {} });`);
    const { commands } = await rpc.ok("get_commands");
    const hi = commands.find(({ name }: AnyRecord) => name === "hi");
    expect(hi).toMatchObject({ source: "extension", path: `${pi.cwd}/extension.ts` });
    expect(hi).not.toHaveProperty("location");
  });

  it("without a model a prompt says that none is selected", async () => {
    const pi = await start([]);
    pi.configure("models.json", '{"providers":{}}');
    const { stdout, stderr } = await pi.run(["--mode", "rpc", "--no-session"], {
      stdin: '{"type":"prompt","message":"x"}\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      error: expect.stringMatching(/^No model selected\.\n\n/),
    });
    expect(stderr).toMatch(/^Warning: No models available\. [^\n]+\n$/);
  });

  it("a tool_call handler that throws blocks the call and is no error besides", async () => {
    const pi = await start(({ conversation }) =>
      conversation.lastResults.length > 0
        ? say("done")
        : { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "true" } }] },
    );
    const text = `export default function (pi) { pi.on("tool_call", () => { throw new Error("not this"); }); }`;
    const rpc = pi.rpc(["-e", pi.write("extension.ts", text), "--no-session"]);
    const events = await rpc.run("go");
    expect(events.map(({ type }) => type)).not.toContain("extension_error");
    const end = events.find(({ type }) => type === "tool_execution_end");
    expect(end).toMatchObject({ isError: true, result: { content: [{ text: "not this" }] } });
  });

  it.each([
    ["Infinity", undefined],
    ["NaN", undefined],
    ["2 ** 31", 2 ** 31],
    ["1e300", 1e300],
    ["'100'", undefined],
  ])("a dialog's timeout of %s ends it not at once", async (timeout, onWire) => {
    const body = `pi.registerCommand("ask", { handler: async (_args, ctx) =>
      ctx.ui.notify(String(await ctx.ui.confirm("t", "m", { timeout: ${timeout} }))) });`;
    const { rpc } = await withExtension(body);
    rpc.send({ id: "ask", type: "prompt", message: "/ask" });
    const request = await rpc.until(({ method }) => method === "confirm", "dialog");
    expect(request["timeout"]).toBe(onWire);
    await rpc.ok("get_state");
    await new Promise((resolve) => setTimeout(resolve, 150));
    rpc.send({ type: "extension_ui_response", id: request["id"], confirmed: true });
    expect(await rpc.until(({ method }) => method === "notify", "notify")).toMatchObject({ message: "true" });
    expect(rpc.garbage).toEqual([]);
  });

  it("states that a client does not read take the place of one another", async () => {
    const { rpc } = await withExtension(`pi.registerCommand("spin", { handler: async (_args, ctx) => {
      for (let n = 0; n < 200_000; n++) {
        ctx.ui.setStatus("a", "number " + n);
        if (n % 1000 === 0) { ctx.ui.setStatus("b", "thousand " + n); await new Promise(setImmediate); }
      }
    } });`);
    rpc.child.stdout.pause();
    rpc.send({ id: "spin", type: "prompt", message: "/spin" });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    rpc.child.stdout.resume();
    await rpc.until(({ id }) => id === "spin", "response");
    await rpc.ok("get_state");
    const states = (key: string) => rpc.records.filter(({ statusKey }) => statusKey === key);
    expect(states("a").length).toBeLessThan(50_000);
    expect(states("a").at(-1)).toMatchObject({ statusText: "number 199999" });
    expect(states("b").at(-1)).toMatchObject({ statusText: "thousand 199000" });
  });
});
