import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { keys } from "../../interactive/terminal.js";
import { testsOf } from "../coverage/claims.js";
import { calls, says } from "../example-session.js";
import { exampleTerminal } from "../example-terminal.js";

const terminal = { terminal: true };

describe("modal-editor", () => {
  const it = testsOf(["modal-editor"], terminal);
  it("moves and deletes in its second mode, and makes way", async ({ covers }) => {
    const { terminal, say, pi } = await exampleTerminal(["modal-editor.ts"], [says("ok"), says("fine")]);
    await terminal.shows("─ insert ─");
    covers("ui.setEditorComponent");
    terminal.type("one two three");
    await terminal.shows("one two three");
    terminal.type(keys.escape);
    await terminal.shows("─ normal ─");
    terminal.type("0", "w", "x", "x", "i", "T");
    await terminal.shows(/^one T.*three/m);
    terminal.type(keys.escape);
    await terminal.shows("─ normal ─");
    terminal.type("o");
    await terminal.shows("─ insert ─");
    terminal.type("a second line", keys.escape);
    await terminal.shows("─ normal ─");
    terminal.type("d", "d", keys.enter);
    await terminal.shows("ok");
    expect(pi.server.requests[0]?.conversation.turns.at(-1)).toMatchObject({
      text: expect.stringMatching(/^one T.*three$/),
    });
    terminal.type("i");
    await terminal.shows("─ insert ─");
    await say("/modal");
    await terminal.until("the usual editor", () => !/insert ─|normal ─/.test(terminal.text()));
    await say("/modal");
    await terminal.shows("─ insert ─");
    covers("ui.getEditorComponent", "event:session_start");
  });
});

describe("emoji", () => {
  const it = testsOf(["emoji"], terminal);
  it("completes beside the usual completion", async ({ covers }) => {
    const { terminal, pi } = await exampleTerminal(["emoji.ts"], [says("ok")], {
      prepare: (pi) => void pi.write("notes.md", ""),
    });
    terminal.type("ship it :roc");
    await terminal.shows("🚀 rocket");
    terminal.type(keys.tab);
    await terminal.shows(/ship it 🚀/);
    terminal.type(" @not");
    await terminal.shows("notes.md");
    terminal.type(keys.tab);
    await terminal.shows("@notes.md");
    terminal.type(keys.enter);
    await terminal.shows("ok");
    expect(pi.server.requests[0]?.conversation.turns.at(-1)).toMatchObject({
      text: expect.stringContaining("ship it 🚀 @notes.md"),
    });
    covers("ui.addAutocompleteProvider");
  });
});

describe("typewriter", () => {
  const it = testsOf(["typewriter"], terminal);
  it("rewrites keys and keeps some to itself", async ({ covers }) => {
    const { terminal, say } = await exampleTerminal(["typewriter.ts"]);
    terminal.type("say ", '"', "hi", '"');
    await terminal.shows("say “hi”");
    terminal.type("\x1bx");
    await terminal.until("an empty editor", () => !terminal.text().includes("say"));
    covers("ui.onTerminalInput", "ui.getEditorText", "ui.setEditorText", "ctx.isIdle");
    await say("/typewriter");
    await terminal.until("sent", () => !terminal.text().includes("/typewriter"));
    terminal.type('"');
    await terminal.shows('"');
  });
});

describe("reading-glasses", () => {
  const it = testsOf(["reading-glasses"], terminal);
  it("shows another text and other rows than the session has", async ({ covers }) => {
    const thoughts = {
      blocks: [
        { type: "thinking" as const, text: "deep ".repeat(80) },
        { type: "text" as const, text: "See AB-12." },
      ],
    };
    const { terminal, say, pi } = await exampleTerminal(
      ["reading-glasses.ts"],
      [calls("read", { path: "a.txt" }), calls("read", { path: "b.txt" }), thoughts],
      {
        prepare: (pi) => {
          pi.configureModel({ reasoning: true });
          pi.write("a.txt", "secret words");
        },
        rows: 30,
      },
    );
    await say("go");
    await terminal.shows("AB-12");
    await terminal.until("a link", () => terminal.output.includes("https://tickets.example/AB-12"));
    expect(terminal.text().match(/deep/g)?.length).toBeLessThan(45);
    covers("pi.registerMarkdownTransformer", "pi.getFlag");
    expect(terminal.text()).toMatch(/^ ?📖 a\.txt/m);
    expect(terminal.text()).toMatch(/✗ not read/);
    expect(terminal.text()).not.toContain("secret words");
    covers("pi.registerToolRenderer", "row.executionStarted", "row.isError");
    expect(JSON.stringify(pi.sessionEntries())).not.toContain("tickets.example");
  });
});

describe("dictionary", () => {
  const it = testsOf(["dictionary"], terminal);
  it("draws itself, without the box, more of it when unfolded", async ({ covers }) => {
    const { terminal, say } = await exampleTerminal(
      ["dictionary.ts"],
      [calls("dictionary", { term: "leaf" }), says("so it is")],
      {
        args: ["--use-theme", "dark"],
        rows: 30,
      },
    );
    await say("/dictionary");
    await terminal.shows("reference: only reads");
    covers("tool.label");
    await say("what is a leaf?");
    await terminal.shows("so it is");
    const call = terminal.screen().findIndex((line) => line.includes("📕 leaf"));
    expect(call).toBeGreaterThan(0);
    covers("row.argsComplete", "row.lastComponent");
    expect(terminal.styles(call)).toContain("underline");
    covers("theme.underline");
    // No box: nothing behind it.
    expect(new Set(terminal.backgrounds(call))).toEqual(new Set([terminal.backgrounds(0)[0]]));
    covers("tool.renderShell");
    expect(terminal.text()).toMatch(/the entry a session goes on from \d+ ms ctrl\+o more/);
    covers("row.durationMs", "row.keyHint", "row.outputPad");
    terminal.type(keys.ctrl("o"));
    await terminal.shows(/goes on from \d+ ms \(toolu_\w+, leaf\)/);
    covers("row.toolCallId", "row.args");
  });
});

describe("lookout", () => {
  const it = testsOf(["lookout"], terminal);
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  it("counts in its row while it waits, and shows what came", async ({ covers }) => {
    const { terminal, say, pi } = await exampleTerminal(
      ["lookout.ts"],
      [calls("wait_for_file", { path: "out.png" }), says("seen")],
      {
        prepare: (pi) => pi.configure("settings.json", '{"terminal":{"showImages":false}}'),
        rows: 30,
      },
    );
    await say("go");
    await terminal.shows(/looking out for out\.png 0\.[4-9] s/);
    covers("row.invalidate", "row.state", "row.isPartial");
    writeFileSync(join(pi.cwd, "out.png"), Buffer.from(dot, "base64"));
    await terminal.shows("seen");
    await terminal.shows("out.png, ctrl+o for its size (pictures are not shown)");
    covers("row.cwd", "row.keyText", "row.showImages");
    terminal.type(keys.ctrl("o"));
    await terminal.shows(/project\/out\.png, \d+ bytes/);
    covers("row.expanded");
    expect(pi.server.requests.at(-1)?.conversation.lastResults[0]?.images).toBe(1);
    covers("tool.execute", "ctx.cwd");
  });
});
