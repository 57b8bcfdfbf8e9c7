import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { type PiFixture, usePi } from "../pi.js";
import { GoldenFrames } from "./golden/golden-frames.js";
import { tokenOf, tokenTheme } from "./golden/token-theme.js";
import { askingExtension } from "./screens/asking-extension.js";
import { foldedParts, unfoldedParts } from "./screens/conversation.js";
import { answers, footer, type Screen, screens } from "./screens/table.js";
import { writeWholeSession } from "./screens/whole-session.js";
import { betweenRules, wordsOf } from "./screens/words.js";
import { keys, type PiTerminal } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

/** So many rows that the whole conversation is in sight, folded and unfolded. */
const TALL = 260;
const ROWS = 30;
/** The width whose frames are stored. */
const STORED = 80;

/** So wide that the length of the system prompt does not show in the footer's share. */
const WINDOW = 10_000_000;

const golden = new GoldenFrames("frames");

/** A conversation with something of every kind, at a terminal of this width; all screens are opened in one process. */
async function converse(columns: number): Promise<{ pi: PiFixture; terminal: PiTerminal }> {
  // An answer that begins and does not go on.
  const begun = {
    blocks: [{ type: "text" as const, text: "Let me see." }],
    fault: { kind: "stall" as const, afterEvents: 5 },
  };
  const pi = await start([begun]);
  pi.configureModels([{ id: "m1", name: "First", reasoning: true, contextWindow: WINDOW }, { id: "m2" }]);
  for (const folder of ["themes", "extensions"]) mkdirSync(join(pi.agentDir, folder));
  writeFileSync(join(pi.agentDir, "themes", "tokens.json"), tokenTheme.json);
  writeFileSync(join(pi.agentDir, "extensions", "asking.js"), askingExtension);
  pi.write("AGENTS.md", "Be brief.");
  const args = ["--session", writeWholeSession(pi), "--use-theme", tokenTheme.name];
  const terminal = open(pi, args, { columns, rows: TALL });
  await terminal.shows("The last answer.");
  await terminal.shows("[Extensions]");
  return { pi, terminal };
}

/** What is on the screen of a terminal. */
class Seen {
  constructor(
    readonly terminal: PiTerminal,
    readonly columns: number,
  ) {}

  /** Everything but rules. */
  all = () => wordsOf(this.terminal.screen());
  /** The editor, or what is in its place. */
  dock = () => wordsOf(betweenRules(this.terminal.screen(), this.columns));
  below = () => wordsOf(this.terminal.screen().slice(this.terminal.screen().lastIndexOf("─".repeat(this.columns)) + 1));

  async inOrder(parts: readonly string[]): Promise<void> {
    for (const part of parts) await expect.poll(this.all).toContain(part);
    const places = parts.map((part) => this.all().indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }

  async isStored(name: string): Promise<void> {
    if (this.columns === STORED) await golden.expect(name, () => this.terminal.frame(tokenOf));
  }
}

/** A key right after Escape would be one with Alt. */
async function typeApart(terminal: PiTerminal, typed: readonly string[]): Promise<void> {
  for (const [at, one] of typed.entries()) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 40));
    terminal.type(one);
  }
}

async function look(
  seen: Seen,
  { name, open, says, below, isNamedForRun, close = [keys.escape] }: Screen,
): Promise<void> {
  const { terminal, columns } = seen;
  await typeApart(terminal, open);
  const expected = typeof says === "function" ? says(columns) : says;
  if (typeof expected === "string") await expect.poll(seen.dock, { message: `the screen "${name}"` }).toBe(expected);
  else await expect.poll(seen.dock, { message: `the screen "${name}"` }).toMatch(expected);
  if (below) await expect.poll(seen.below, { message: `below the screen "${name}"` }).toBe(below(columns));
  if (!isNamedForRun) await seen.isStored(name);
  await typeApart(terminal, close);
  await terminal.until(`the editor after "${name}"`, () => seen.dock() === "");
}

describe.each([40, STORED, 200])("at %i columns", (columns) => {
  it("every screen says what it has to, and no line is too wide", async () => {
    const { pi, terminal } = await converse(columns);
    const seen = new Seen(terminal, columns);

    await seen.inOrder(foldedParts);
    await seen.isStored("conversation");
    terminal.type(keys.ctrl("o"));
    await seen.inOrder(unfoldedParts);
    await seen.isStored("conversation-unfolded");
    terminal.type(keys.ctrl("o"));
    await terminal.shows("Tool output: collapsed");

    terminal.resize(columns, ROWS);
    await expect.poll(seen.below).toBe(footer(columns));
    for (const screen of screens) await look(seen, screen);

    terminal.type("/x-overlay", keys.enter);
    await terminal.shows("[ an overlay ]");
    await seen.isStored("overlay");
    terminal.type("x");
    await terminal.until("no overlay", () => !terminal.text().includes("an overlay"));

    terminal.type("begin", keys.enter);
    await terminal.shows(/^── . Working ─+$/m);
    await terminal.shows("Let me see.");
    terminal.type("steer me", keys.enter);
    await terminal.shows("Steering: steer me");
    terminal.type("later", keys.altEnter);
    await expect.poll(seen.all).toContain("Steering: steer me Follow-up: later ↳ Alt+Up to edit all queued messages");
    const working = terminal.screen().find((row) => row.includes(" Working ")) ?? "";
    expect(visibleWidth(working)).toBe(columns);
    terminal.type(keys.escape);
    await terminal.shows("Operation aborted");
    await expect.poll(seen.dock).toBe("steer me later");
    await seen.isStored("aborted");
    terminal.type(keys.ctrl("c"));

    terminal.type("/x-around", keys.enter);
    await expect.poll(seen.all).toMatch(/Warning: Careful\. a widget above a widget below ~\/project .* a status$/);
    await seen.isStored("around-the-editor");

    terminal.type("/session", keys.escape, keys.enter);
    await expect
      .poll(seen.all)
      .toMatch(/ID: whole-session Messages: \d+ user: 3, assistant: 14, tool calls: 9 Tokens: ↑/);
    expect(seen.all()).toMatch(/Cache: \d+\.\d% of the input was read from it Cost: \$0\.1690 scripted\/m1: \$0\.1690/);

    for (const [typed, says] of answers) {
      await typeApart(terminal, typed);
      await expect.poll(seen.all, { message: `the answer to ${JSON.stringify(typed)}` }).toContain(says);
    }

    terminal.type(keys.ctrl("d"));
    await terminal.exited;
    expect(
      terminal
        .all()
        .filter((row) => row !== "")
        .slice(-2),
    ).toEqual(["To resume this session:", "pi --session whole-session"]);
    expect(existsSync(join(pi.agentDir, "pi-tui-crash.log"))).toBe(false);
  }, 60_000);
});

it("no frame is stored for nothing", () => {
  expect(golden.unused()).toEqual([]);
});
