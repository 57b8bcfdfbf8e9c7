import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys, leftOn } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();
const slow = { blocks: [{ type: "text" as const, text: "word ".repeat(400) }], deltaSize: 5, eventDelayMs: 20 };
const short = { blocks: [{ type: "text" as const, text: "Done." }] };

describe("while the agent works", () => {
  it("queues messages, and gives them back", async () => {
    const pi = await start([slow, short, short]);
    const terminal = open(pi);
    await terminal.ready();
    terminal.type("begin", keys.enter);
    await terminal.shows(/── . Working ──/);
    await terminal.shows("word word");
    terminal.type("steer me", keys.enter);
    await terminal.shows("Steering: steer me");
    terminal.type("later");
    await terminal.shows("\nlater\n");
    terminal.type(keys.altEnter);
    await terminal.shows("Follow-up: later");
    await expect.poll(() => terminal.text()).toContain("↳ Alt+Up to edit all queued messages");
    terminal.type(keys.altUp);
    await terminal.shows("Restored 2 queued messages to editor");
    await expect.poll(() => terminal.text()).toContain("\nsteer me\n\nlater\n");
  });

  it("stops on Escape, with what was queued back in the editor", async () => {
    const pi = await start([slow, short]);
    const terminal = open(pi);
    await terminal.ready();
    terminal.type("begin", keys.enter);
    await terminal.shows("word word");
    terminal.type("and then", keys.enter);
    await terminal.shows("Steering: and then");
    terminal.type(keys.escape);
    await terminal.shows("Operation aborted");
    await expect.poll(() => terminal.text()).toContain("\nand then\n");
    expect(terminal.text()).not.toContain("Working");
  });

  it("keeps every key that is typed during the stream", async () => {
    const pi = await start([{ ...slow, eventDelayMs: 5 }]);
    const terminal = open(pi);
    await terminal.ready();
    terminal.type("begin", keys.enter);
    await terminal.shows("word word");
    const typed = "the quick brown fox jumps over the lazy dog";
    for (const letter of typed) {
      terminal.type(letter);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await terminal.shows(`\n${typed}\n`);
  });
});

describe("bash mode", () => {
  it("runs a command and tells the model", async () => {
    const pi = await start([short]);
    const terminal = open(pi);
    await terminal.ready();
    terminal.type("!echo out; exit 3", keys.enter);
    await terminal.shows("(exit 3)");
    await expect.poll(() => terminal.text()).toMatch(/─{80}\n \$ echo out; exit 3\n out\n \(exit 3\)\n─{80}/);
    terminal.type("go on", keys.enter);
    await terminal.shows("Done.");
    expect(JSON.stringify(pi.server.requests[0]?.body)).toContain("Ran `echo out; exit 3`");
  });

  it("cancels a command with Escape", async () => {
    const pi = await start([]);
    const terminal = open(pi);
    await terminal.ready();
    terminal.type("!sleep 60", keys.enter);
    await terminal.shows("Running... (escape/ctrl+c to cancel)");
    terminal.type(keys.escape);
    await terminal.shows("(cancelled)");
  });
});

it("edits the prompt in the user's own editor", async () => {
  const pi = await start([]);
  const editor = join(pi.home, "editor.sh");
  writeFileSync(editor, '#!/bin/sh\nprintf " and more\\n" >> "$1"\n');
  chmodSync(editor, 0o755);
  const terminal = open(pi, [], { env: { VISUAL: editor } });
  await terminal.ready();
  terminal.type("some text");
  await terminal.shows("\nsome text\n");
  terminal.type(keys.ctrl("g"));
  await terminal.shows("\nsome text and more\n");
});

it.skipIf(process.platform !== "linux")("pastes an image as the path of a file", async () => {
  const pi = await start([]);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const bin = join(pi.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(pi.home, "picture.png"), png);
  writeFileSync(join(bin, "xclip"), `#!/bin/sh\nexec cat "${join(pi.home, "picture.png")}"\n`);
  chmodSync(join(bin, "xclip"), 0o755);
  const terminal = open(pi, [], { columns: 120, env: { DISPLAY: ":0", PATH: `${bin}:${process.env["PATH"]}` } });
  await terminal.ready();
  terminal.type("see ", keys.ctrl("v"));
  await terminal.shows(/\nsee \S+pi-clipboard-[0-9a-f-]+\.png\n/);
  const path = /\nsee (\S+)\n/.exec(terminal.text())?.[1] ?? "";
  expect(readFileSync(path)).toEqual(png);
  rmSync(path);
});

it("opens the tree for two presses of Escape", async () => {
  const pi = await start([short]);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("hello", keys.enter);
  await terminal.shows("Done.");
  terminal.type(keys.escape);
  await new Promise((resolve) => setTimeout(resolve, 60));
  terminal.type(keys.escape);
  await terminal.shows("Session tree");
});

it("completes files", async () => {
  const pi = await start([]);
  pi.write("notes.txt", "x");
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("see @not");
  await terminal.shows("→ notes.txt");
  terminal.type(keys.tab);
  await terminal.shows("\nsee @notes.txt\n");
});

it("takes a paste of a megabyte as one", async () => {
  const pi = await start([short]);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type(`\x1b[200~${"0123456789".repeat(100_000)}\x1b[201~`);
  await terminal.shows("[paste #1 1000000 chars]");
  terminal.type(keys.enter);
  await terminal.shows("Done.");
  expect(pi.server.requests[0]?.conversation.turns.at(-1)).toMatchObject({ text: "0123456789".repeat(100_000) });
});

describe("the terminal is given back", () => {
  it.each(["fullscreen", "regular"] as const)("after two presses of Ctrl+C, %s", async (mode) => {
    const pi = await start([]);
    const terminal = open(pi, ["--tui-mode", mode]);
    await terminal.ready();
    terminal.type("text", keys.ctrl("c"));
    await terminal.until("an empty editor", () => !terminal.text().includes("\ntext\n"));
    terminal.type(keys.ctrl("c"));
    terminal.type(keys.ctrl("c"));
    expect((await terminal.exited).exitCode).toBe(0);
    expect(leftOn(terminal.output)).toEqual([]);
  });

  it.each(["SIGTERM", "SIGHUP"])("on %s", async (signal) => {
    const pi = await start([]);
    const terminal = open(pi);
    await terminal.ready();
    process.kill(terminal.child.pid, signal);
    expect((await terminal.exited).exitCode).toBe(0);
    expect(leftOn(terminal.output)).toEqual([]);
  });

  it.each(["fullscreen", "regular"] as const)("on a crash, which is told and recorded, %s", async (mode) => {
    const pi = await start([]);
    const code = "process.on('SIGUSR2',()=>{throw new Error('on purpose')})";
    const crash = `data:text/javascript,${encodeURIComponent(code)}`;
    const terminal = open(pi, ["--tui-mode", mode], { env: { NODE_OPTIONS: `--import=${crash}` } });
    await terminal.ready();
    process.kill(terminal.child.pid, "SIGUSR2");
    expect((await terminal.exited).exitCode).toBe(1);
    expect(leftOn(terminal.output)).toEqual([]);
    await expect.poll(() => terminal.all().join("\n")).toContain("Error: pi has crashed: on purpose");
    expect(readFileSync(join(pi.agentDir, "crashes.json"), "utf8")).toContain("on purpose");
  });

  it("when a child is killed", async () => {
    const pi = await start([]);
    const terminal = open(pi);
    await terminal.ready();
    terminal.type("!kill -9 $$", keys.enter);
    await terminal.shows(/\(exit 137\)/);
    terminal.type(keys.ctrl("d"));
    expect((await terminal.exited).exitCode).toBe(0);
    expect(leftOn(terminal.output)).toEqual([]);
  });

  it("to the shell on Ctrl+Z, and taken back by fg", async () => {
    const pi = await start([]);
    const terminal = open(pi, [], {
      command: (file, args) => [
        "/bin/bash",
        [
          "--norc",
          "--noprofile",
          "-i",
          "-c",
          `set -m; PS1='shell> '; '${file}' ${args.map((word) => `'${word}'`).join(" ")}; echo stopped $?; read line; fg`,
        ],
      ],
    });
    await terminal.ready();
    terminal.type("a draft");
    await terminal.shows("\na draft\n");
    terminal.type(keys.ctrl("z"));
    await terminal.shows("stopped 148");
    expect(leftOn(terminal.output)).toEqual([]);
    terminal.type("\r");
    await terminal.shows("\na draft\n");
    terminal.type("!");
    await terminal.shows("\na draft!\n");
  });
});
