import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { type PiFixture, usePi } from "../pi.js";
import { keys, type PiTerminal } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "toolCall"; name: string; arguments: Record<string, unknown> };

/** A model that makes these blocks, one turn each, and then says that it is done. */
const script = (...turns: Block[][]) =>
  start([...turns.map((blocks) => ({ blocks })), { blocks: [{ type: "text" as const, text: "All done." }] }]);

async function ask(pi: PiFixture, columns: number, rows = 50, env: Record<string, string> = {}): Promise<PiTerminal> {
  const terminal = open(pi, [], { columns, rows, env });
  await terminal.ready();
  terminal.type("please", keys.enter);
  await terminal.shows("All done.");
  await terminal.until("an end", () => !terminal.text().includes("Working"));
  return terminal;
}

/** The frame from the first row with a text on, for layouts that are asserted as a whole. */
function from(terminal: PiTerminal, text: string, rows: number): string[] {
  const screen = terminal.screen();
  const at = screen.findIndex((row) => row.includes(text));
  return screen.slice(at, at + rows);
}

describe.each([40, 80, 200])("at %i columns", (columns) => {
  const rule = "─".repeat(columns);

  it("the start: header, editor between rules, footer", async () => {
    const pi = await script();
    const terminal = open(pi, [], { columns, rows: 16 });
    await terminal.ready();
    const screen = terminal.screen();
    expect(screen[0]).toBe(" ▀▀█  v1.6.0");
    expect(screen[1]).toMatch(/^ █▀ █ escape interrupt/);
    expect(screen.slice(-6)).toEqual([
      "",
      rule,
      "",
      rule,
      "~/project",
      `0.0%/128k (auto)${" ".repeat(columns - 18)}m1`,
    ]);
    for (const row of screen) expect(visibleWidth(row)).toBeLessThanOrEqual(columns);
  });

  it("a prompt, thinking and Markdown", async () => {
    const scripted = await start([
      {
        blocks: [
          { type: "thinking", text: "Let me think." },
          { type: "text", text: "# Title\n\nSome **bold** text.\n\n- one\n- two\n\n```js\nconst a = 1;\n```" },
        ],
      },
    ]);
    scripted.configureModel({ reasoning: true });
    const terminal = open(scripted, [], { columns, rows: 40 });
    await terminal.ready();
    terminal.type("please", keys.enter);
    await terminal.shows("const a = 1;");
    await expect
      .poll(() => from(terminal, " please", 16))
      .toEqual([
        " please",
        "",
        "",
        " Let me think.",
        "",
        " Title",
        "",
        " Some bold text.",
        "",
        " - one",
        " - two",
        "",
        " ```js",
        "   const a = 1;",
        " ```",
        "",
      ]);
  });

  it("a command: the last five rows, and how many more there are", async () => {
    const pi = await script([{ type: "toolCall", name: "bash", arguments: { command: "seq 1 40", timeout: 9 } }]);
    const terminal = await ask(pi, columns);
    await expect
      .poll(() => from(terminal, "$ seq 1 40", 8).map((row) => row.replace(/Took \d+\.\ds/, "Took 0.0s")))
      .toEqual([
        " $ seq 1 40 (timeout 9s)",
        ...(columns === 40
          ? [" ... (35 earlier lines, ctrl+o to", " expand)"]
          : [" ... (35 earlier lines, ctrl+o to expand)"]),
        " 36",
        " 37",
        " 38",
        " 39",
        " 40",
        ...(columns === 40 ? [] : [" Took 0.0s"]),
      ]);
    terminal.type(keys.ctrl("o"));
    await terminal.shows("Tool output: expanded");
    await expect.poll(() => terminal.text()).toMatch(/\n 20 *[│┃]?\n 21 *[│┃]?\n 22/);
    terminal.type(keys.ctrl("o"));
    await terminal.shows("Tool output: collapsed");
  });

  it("reading, writing and editing", async () => {
    const pi = await script(
      [{ type: "toolCall", name: "read", arguments: { path: "a.txt", offset: 1, limit: 1 } }],
      [
        {
          type: "toolCall",
          name: "write",
          arguments: { path: "b.txt", content: Array.from({ length: 12 }, (_, at) => `row ${at + 1}`).join("\n") },
        },
      ],
      [{ type: "toolCall", name: "edit", arguments: { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] } }],
    );
    pi.write("a.txt", "one\ntwo\nthree\n");
    const terminal = await ask(pi, columns);
    await expect.poll(() => terminal.text()).toContain("\n read a.txt:1-1\n");
    expect(terminal.text()).not.toContain("\n one\n\n");
    const written = from(terminal, " write b.txt", 13);
    expect(written.slice(0, 3)).toEqual([" write b.txt", "", " row 1"]);
    expect(written[11]).toBe(" row 10");
    expect(written[12]).toContain("... (2 more lines, 12 total,");
    await expect
      .poll(() => from(terminal, " edit a.txt", 5))
      .toEqual([" edit a.txt", "  1 one", " -2 two", " +2 2", "  3 three"]);
  });

  it("searching, and a failure", async () => {
    const pi = await script(
      [{ type: "toolCall", name: "grep", arguments: { pattern: "o", path: ".", limit: 5 } }],
      [{ type: "toolCall", name: "read", arguments: { path: "missing.txt" } }],
    );
    pi.configure("settings.json", JSON.stringify({ defaultTools: ["+grep", "+find", "+ls"] }));
    pi.write("a.txt", "one\ntwo\n");
    const terminal = await ask(pi, columns);
    await expect.poll(() => terminal.text()).toContain("\n grep /o/ in . limit 5\n");
    await expect.poll(() => terminal.text()).toContain("\n a.txt:1: one\n");
    await expect.poll(() => terminal.text()).toContain("\n read missing.txt\n");
    await expect.poll(() => terminal.text()).toMatch(/missing\.txt[\s\S]*(ENOENT|not found|does not exist|no such)/i);
  });

  it("the same in tmux", async () => {
    const pi = await script([{ type: "toolCall", name: "bash", arguments: { command: "echo from tmux" } }]);
    const socket = join(pi.home, "tmux.sock");
    const config = join(pi.home, "tmux.conf");
    writeFileSync(config, "set -g status off\nset -g escape-time 0\n");
    const terminal = open(pi, [], {
      columns,
      rows: 30,
      command: (file, args) => [
        "tmux",
        ["-u", "-S", socket, "-f", config, "new-session", [file, ...args].map((word) => `'${word}'`).join(" ")],
      ],
    });
    await terminal.ready();
    terminal.type("please", keys.enter);
    await terminal.shows("All done.");
    await expect.poll(() => from(terminal, "$ echo from tmux", 2)).toEqual([" $ echo from tmux", " from tmux"]);
    await expect.poll(() => terminal.screen().filter((row) => row === rule)).toHaveLength(2);
    terminal.type(keys.ctrl("d"));
    await terminal.exited;
  });
});

it("resizes without stale rows, down to almost nothing", async () => {
  const pi = await start([{ blocks: [{ type: "text", text: `${"word ".repeat(200)} All done.` }] }]);
  const terminal = await ask(pi, 80);
  for (const [columns, rows] of [
    [40, 20],
    [20, 6],
    [1, 2],
    [200, 50],
  ] as const) {
    terminal.resize(columns, rows);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await terminal.shows("─".repeat(200));
  await expect.poll(() => terminal.screen().filter((row) => row === "─".repeat(200))).toHaveLength(2);
  await expect.poll(() => terminal.text()).toContain("All done.");
});
