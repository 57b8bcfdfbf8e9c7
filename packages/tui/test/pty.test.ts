import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";

/** The program in a real pseudo-terminal, whose other end is an emulator that answers as terminals do. */
function run(mode: "regular" | "fullscreen") {
  const emulator = new xterm.Terminal({ cols: 60, rows: 12, allowProposedApi: true });
  const child = spawn(process.execPath, [join(import.meta.dirname, "program.mjs"), mode], {
    cols: 60,
    rows: 12,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", HOME: "/nonexistent" },
  });
  let output = "";
  child.onData((data) => {
    output += data;
    emulator.write(data);
  });
  emulator.onData((data) => child.write(data));
  const exited = new Promise<number | undefined>((resolve) => child.onExit(({ signal }) => resolve(signal)));
  const screen = () =>
    Array.from({ length: emulator.rows }, (_, row) =>
      (emulator.buffer.active.getLine(emulator.buffer.active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  const until = async (what: string, holds: () => boolean) => {
    for (let at = 0; at < 400; at++) {
      if (holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`Never seen: ${what}\n${screen().join("\n")}\n${JSON.stringify(output.slice(-500))}`);
  };
  const shows = (text: string) => until(text, () => screen().join("\n").includes(text));
  return { child, emulator, exited, screen, shows, output: () => output };
}

/** Modes that a terminal must not be left in. */
function leftOn(output: string): string[] {
  const left = new Set<string>();
  let at = 0;
  for (;;) {
    at = output.indexOf("\x1b[?", at);
    if (at < 0) break;
    const match = /^(\d+)([hl])/.exec(output.slice(at + 3, at + 12));
    if (match?.[2] === "h") left.add(match[1] ?? "");
    if (match?.[2] === "l") left.delete(match[1] ?? "");
    at += 3;
  }
  // The cursor and line wrapping are on by default.
  for (const mode of ["25", "7"]) {
    if (!left.delete(mode) && output.includes(`\x1b[?${mode}l`)) left.add(`not ${mode}`);
  }
  return [...left];
}

describe.each(["regular", "fullscreen"] as const)("in a pseudo-terminal, %s", (mode) => {
  it("takes keys and pastes, and gives the terminal back", async () => {
    const { child, shows, exited, output } = run(mode);
    await shows("ready");
    child.write("hello\r");
    await shows("said: 5 hello");
    child.write(`\x1b[200~${"0123456789".repeat(20_000)}\x1b[201~`);
    await shows("[paste #1 200000 chars]");
    child.write("\r");
    await shows("said: 200000 0123");
    child.write("exit\r");
    await exited;
    expect(output()).toContain("bye");
    expect(leftOn(output())).toEqual([]);
  });

  it.each(["SIGTERM", "SIGHUP"])("gives the terminal back on %s", async (signal) => {
    const { child, shows, exited, output } = run(mode);
    await shows("ready");
    process.kill(child.pid, signal);
    expect(await exited).toBe(signal === "SIGTERM" ? 15 : 1);
    expect(leftOn(output())).toEqual([]);
    expect(output()).toContain("\x1b[<u");
  });

  it("gives the terminal back on a crash", async () => {
    const { child, shows, exited, output } = run(mode);
    await shows("ready");
    child.write("crash\r");
    await exited;
    expect(leftOn(output())).toEqual([]);
    // The end of a process may be known before its last words are.
    await expect.poll(output).toContain("on purpose");
  });

  it("follows a resize", async () => {
    const { child, emulator, shows, screen, exited } = run(mode);
    await shows("ready");
    emulator.resize(30, 8);
    child.resize(30, 8);
    await shows(`\n${"─".repeat(30)}\n`);
    expect(screen().join("\n")).toContain("ready");
    child.write("exit\r");
    await exited;
  });
});
