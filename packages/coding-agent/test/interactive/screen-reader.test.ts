import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

it("appends plain lines only, and understands commands", async () => {
  const pi = await start(({ conversation }) =>
    conversation.lastResults.length === 0
      ? { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "echo hi" } }] }
      : { blocks: [{ type: "text", text: "It said hi.\nThat is all." }], deltaSize: 3 },
  );
  const terminal = open(pi, [], { env: { PI_SCREEN_READER: "1" } });
  await terminal.shows("Type a prompt and press Enter.");
  terminal.type("say hi\r");
  await terminal.shows("That is all.");
  await expect
    .poll(() => terminal.text())
    .toContain("Tool bash: echo hi\nTool bash done, 1 line.\nAssistant:\nIt said hi.\nThat is all.");
  terminal.type("!echo mine; exit 2\r");
  await terminal.shows("mine\n(exit 2)");
  terminal.type("/thinking\r");
  await terminal.shows("Thinking level: off.");
  terminal.type(keys.ctrl("d"));
  expect((await terminal.exited).exitCode).toBe(0);
  await expect.poll(() => terminal.all().join("\n")).toContain("To resume this session:\npi --session ");
  // Nothing that moves the cursor, colours, or takes the screen.
  expect(terminal.output).not.toContain("\x1b");
});

it("stops an answer with Ctrl+C", async () => {
  const pi = await start([{ blocks: [{ type: "text", text: "word\n".repeat(300) }], deltaSize: 5, eventDelayMs: 20 }]);
  const terminal = open(pi, [], { env: { PI_SCREEN_READER: "1" } });
  await terminal.shows("Type a prompt");
  terminal.type("begin\r");
  await terminal.shows("word\nword");
  terminal.type(keys.ctrl("c"));
  await terminal.shows("Operation aborted");
});

it("extensions ask and say in lines too, and a project is trusted before it brings its own", async () => {
  const pi = await start([]);
  mkdirSync(join(pi.cwd, ".pi", "extensions"), { recursive: true });
  writeFileSync(
    join(pi.cwd, ".pi", "extensions", "mine.ts"),
    `export default (pi) => {
      pi.on("session_start", (_event, ctx) => ctx.ui.notify("started with " + ctx.hasUI));
      pi.registerCommand("order", { handler: async (_args, ctx) => {
        const [fruit, name] = await Promise.all([ctx.ui.select("Which fruit?", ["apple", "pear"]), ctx.ui.input("Your name?")]);
        const sure = await ctx.ui.confirm("Sure?", "It costs.");
        ctx.ui.notify([fruit, name, sure].join(" "), "warning");
        ctx.ui.notify(String(await ctx.ui.select("Late?", ["a"], { timeout: 50 })));
      } });
      pi.registerCommand("fail", { handler: async () => { throw new Error("went wrong"); } });
      pi.registerCommand("leave", { handler: async (_args, ctx) => ctx.shutdown() });
    };`,
  );
  const terminal = open(pi, [], { env: { PI_SCREEN_READER: "1" } });
  await terminal.shows("Trust project folder?");
  await terminal.shows("3: Trust (this session only)");
  terminal.type("3\r");
  await terminal.shows("started with true");
  terminal.type("/order\r");
  await terminal.shows("2: pear");
  terminal.type("no such fruit\r");
  await terminal.until("asked again", () => (terminal.text().match(/2: pear/g)?.length ?? 0) > 1);
  terminal.type("2\r");
  await terminal.shows("Your name?");
  terminal.type("Ada\r");
  await terminal.shows("Type y for yes.");
  terminal.type("y\r");
  await terminal.shows("Warning: pear Ada true");
  await terminal.shows("undefined");
  terminal.type("/fail\r");
  await terminal.shows('Error: Extension "command:fail" error: went wrong');
  terminal.type("/leave\r");
  expect((await terminal.exited).exitCode).toBe(0);
});
