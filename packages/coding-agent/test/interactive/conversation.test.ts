import { describe, expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys, leftOn } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

describe.each(["fullscreen", "regular"] as const)("%s", (mode) => {
  it("answers, runs a tool, and gives the terminal back", async () => {
    const pi = await start(({ conversation }) =>
      conversation.lastResults.length === 0
        ? {
            blocks: [
              { type: "text", text: "Let me *look*." },
              { type: "toolCall", name: "bash", arguments: { command: "seq 1 40" } },
            ],
          }
        : { blocks: [{ type: "text", text: "There are forty numbers." }] },
    );
    const terminal = open(pi, ["--tui-mode", mode], { rows: 36 });
    await terminal.ready();
    await expect.poll(() => terminal.text()).toContain("escape interrupt");
    terminal.type("count for me", keys.enter);
    await terminal.shows("There are forty numbers.");
    await expect.poll(() => terminal.text()).toContain("$ seq 1 40");
    await expect.poll(() => terminal.text()).toContain("... (35 earlier lines, ctrl+o to expand)");
    terminal.type(keys.ctrl("d"));
    const { exitCode } = await terminal.exited;
    expect(exitCode).toBe(0);
    expect(leftOn(terminal.output)).toEqual([]);
    const left = terminal.all().join("\n");
    expect(left).toContain("There are forty numbers.");
    expect(left).toContain("To resume this session:");
    expect(left).toMatch(/^pi --session [0-9a-f-]+$/m);
  });
});

it("unfolds one tool by a click", async () => {
  const pi = await start([
    { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "seq 1 12" } }] },
    { blocks: [{ type: "text", text: "Counted." }] },
  ]);
  const terminal = open(pi, [], { rows: 40 });
  await terminal.ready();
  terminal.type("count", keys.enter);
  await terminal.shows("Counted.");
  await expect.poll(() => terminal.text()).toContain("... (7 earlier lines, ctrl+o to expand)");
  const row = terminal.screen().findIndex((line) => line.includes("$ seq 1 12")) + 1;
  terminal.type(`\x1b[<0;4;${row}M`, `\x1b[<0;4;${row}m`);
  await terminal.shows("\n 1\n 2\n 3\n");
});
