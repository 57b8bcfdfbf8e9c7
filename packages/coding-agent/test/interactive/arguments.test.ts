import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { usePi } from "../pi.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

/** What a screen begins with: its own buffer, or a bracketed paste on the shell's. */
const drawing = /\[\?(?:1049|2004)h/;

describe("arguments that are wrong are told before anything is drawn", () => {
  it.each<[string[], string]>([
    [["--modle", "x"], "Error: Unknown option: --modle\nDid you mean --model?"],
    [["--mine"], "Unknown option: --mine"],
    [["@nowhere.md"], "Error: File not found: "],
    [["--model", "qqqqqqqq"], 'Error: Model "qqqqqqqq" not found.'],
    [["--model", "scirpted/m1"], 'Error: Model "scirpted/m1" not found.'],
    [["--provider", "scirpted", "--model", "m1"], 'Error: Unknown provider "scirpted".'],
    [["--provider", "scripted"], "Error: --provider requires --model"],
    [["--fork", "nope"], "No session found matching 'nope'"],
    [["--session", "nope"], "No session found matching 'nope'"],
    [["--session-id", "a", "--continue"], "Error: --session-id cannot be combined with --continue"],
    [["--session-id", "-a"], "Error: Session id must be non-empty"],
    [["--api-key", "k"], "Error: --api-key requires a model"],
    [["mpc"], 'Error: Unknown command "mpc".'],
  ])("pi %j", async (words, text) => {
    const pi = await start([]);
    // With an extension that knows other options, its options have to be looked at too.
    pi.configure("settings.json", JSON.stringify({ extensions: [join(pi.agentDir, "x.js")] }));
    writeFileSync(join(pi.agentDir, "x.js"), 'export default (pi) => pi.registerFlag("other", { type: "boolean" });');
    const terminal = open(pi, words, { bare: true, columns: 200 });
    expect(await terminal.exited).toMatchObject({ exitCode: 1 });
    expect(terminal.output).not.toMatch(drawing);
    expect(terminal.text()).toContain(text);
  });

  it("those that are right are followed by the screen", async () => {
    const pi = await start([]);
    writeFileSync(join(pi.agentDir, "x.js"), 'export default (pi) => pi.registerFlag("mine", { type: "boolean" });');
    const terminal = open(pi, ["-e", join(pi.agentDir, "x.js"), "--mine", "--session-id", "new-one"]);
    await terminal.ready();
    expect(terminal.output).toMatch(drawing);
  });
});
