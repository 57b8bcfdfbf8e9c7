import { EventEmitter } from "node:events";
import type { ReadStream, WriteStream } from "node:tty";
import { afterEach, describe, expect, it } from "vitest";
import { isKittyProtocolActive } from "../keys/kitty-state.js";
import { ProcessTerminal } from "./process-terminal.js";

/** Streams that stand for a terminal: what is written is kept, keys are sent by hand. */
function setup() {
  const written: string[] = [];
  const modes: boolean[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isRaw: false,
    setRawMode: (raw: boolean) => modes.push(raw),
    setEncoding: () => {},
    resume: () => {},
    pause: () => written.push("<paused>"),
  });
  const stdout = Object.assign(new EventEmitter(), {
    columns: 90,
    rows: 30,
    write: (data: string) => written.push(data),
  });
  const terminal = new ProcessTerminal(stdin as unknown as ReadStream, stdout as unknown as WriteStream);
  const input: string[] = [];
  let resizes = 0;
  terminal.start(
    (data) => input.push(data),
    () => resizes++,
  );
  started.push(terminal);
  return {
    terminal,
    written,
    modes,
    input,
    stdout,
    send: (data: string) => stdin.emit("data", data),
    resizes: () => resizes,
  };
}

const started: ProcessTerminal[] = [];
afterEach(() => {
  for (const terminal of started.splice(0)) terminal.stop();
});

describe("ProcessTerminal", () => {
  it("uses the Kitty protocol where there is one, and takes it back", () => {
    const { terminal, written, modes, input, send } = setup();
    expect(written[0]).toBe("\x1b[?2004h\x1b[>7u\x1b[?u\x1b]7501;?\x1b\\\x1b[c");
    send("\x1b[?7u");
    send("\x1b[?62;22c");
    send("a");
    expect(terminal.kittyProtocolActive && isKittyProtocolActive()).toBe(true);
    expect(input).toEqual(["a"]);
    terminal.stop();
    expect(written.slice(-2)).toEqual(["\x1b[?2004l\x1b[<u", "<paused>"]);
    expect(modes).toEqual([true, false]);
    expect(isKittyProtocolActive()).toBe(false);
  });

  it.each([[["\x1b[?62c"]], [["\x1b[?0u", "\x1b[?62c"]]])("falls back to modifyOtherKeys after %j", (answers) => {
    const { terminal, written, send } = setup();
    for (const answer of answers) send(answer);
    expect(terminal.modifyOtherKeysActive).toBe(true);
    terminal.stop();
    expect(written.join("")).toMatch(/4;2m.*4;0m/);
  });

  it("passes later answers and pastes on, each as one input", () => {
    const { input, send } = setup();
    send("\x1b[?62c");
    send("\x1b[?62c");
    send("\x1b[200~a\nb\x1b[201~");
    expect(input).toEqual(["\x1b[?62c", "\x1b[200~a\nb\x1b[201~"]);
  });

  it("knows its size and says when it changes", () => {
    const { terminal, stdout, resizes } = setup();
    expect([terminal.columns, terminal.rows]).toEqual([90, 30]);
    stdout.emit("resize");
    expect(resizes()).toBe(1);
  });

  it("cleans titles, and shows a status only to terminals that know it", () => {
    const { terminal, written, send } = setup();
    terminal.setTitle("a\x07\nb");
    expect(written.at(-1)).toBe("\x1b]0;a b\x07");
    const before = written.length;
    terminal.setProgramStatus({ state: "working" });
    expect(written).toHaveLength(before);
    send("\x1b]7501;?1\x1b\\");
    terminal.setProgramStatus({ state: "working", app: "pi", message: "x" });
    expect(written.at(-1)).toBe("\x1b]7501;state=working:app=pi:msg=eA==\x1b\\");
    terminal.setProgress(true);
    terminal.stop();
    expect(written.join("")).toMatch(/9;4;3.*9;4;0.*state=clear/);
  });

  it("swallows what is still on its way", async () => {
    const { terminal, input, send } = setup();
    const drained = terminal.drainInput(200, 20);
    send("x");
    await drained;
    send("y");
    expect(input).toEqual(["y"]);
  });
});
