import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { keys } from "../../interactive/terminal.js";
import { testsOf } from "../coverage/claims.js";
import { calls, says } from "../example-session.js";
import { exampleTerminal } from "../example-terminal.js";

const terminal = { terminal: true };
/** A command that goes on until a file is there. */
const untilThere = (file: string, first = "true") =>
  calls("bash", { command: `${first}; while [ ! -e ${file} ]; do sleep 0.05; done` });

describe("status-line", () => {
  const it = testsOf(["status-line", "task-list"], terminal);
  it("tells branch, model, context, keys, tasks of another extension, and what others say", async ({ covers }) => {
    const script = [
      calls("tasks", { action: "add", text: "sweep" }),
      { ...says("noted"), usage: { input: 50_000, output: 1 } },
    ];
    const { terminal, say, pi } = await exampleTerminal(["status-line.ts", "task-list.ts", "plan-first.ts"], script, {
      prepare: (pi) => {
        pi.configureModels([
          { id: "m1", contextWindow: 100_000 },
          { id: "m2", contextWindow: 100_000, reasoning: true },
        ]);
        execFileSync("git", ["init", "-q", "-b", "trunk"], { cwd: pi.cwd });
      },
      ready: /trunk \| m1:off \| ctx 0% \| 1 ⚿/,
    });
    covers("ui.setFooter");
    await say("!git symbolic-ref HEAD refs/heads/side");
    await terminal.shows("side | m1:off");
    covers("footer.getGitBranch", "footer.onBranchChange", "footer.getAvailableProviderCount");
    await say("note it");
    await terminal.shows(/side \| m1:off \| ctx 50% \| 1 ⚿ \| 1 to do/);
    covers("pi.events", "pi.events.on", "pi.events.emit", "ctx.getContextUsage", "event:turn_end");
    await say("/plan");
    await terminal.shows(/1 to do +planning$/m);
    covers("footer.getExtensionStatuses");
    terminal.type(keys.ctrl("p"));
    await terminal.shows("| m2:");
    covers("event:model_select", "ctx.model");
    const level = () => /m2:(\w+)/.exec(terminal.text())?.[1];
    const before = level();
    terminal.type(keys.shiftTab);
    await terminal.until("another level", () => level() !== before);
    covers("event:thinking_level_select", "ctx.thinkingLevel");
    await say("/footer");
    await terminal.shows("~/project (side)");
    expect(terminal.text()).not.toContain("⚿");
    expect(pi.server.requests).toHaveLength(2);
  });
});

describe("task-list", () => {
  const it = testsOf(["task-list"], terminal);
  it("draws its calls and results", async ({ covers }) => {
    const add = { type: "toolCall" as const, name: "tasks", arguments: { action: "add", text: "sweep" } };
    const done = { type: "toolCall" as const, name: "tasks", arguments: { action: "done", number: 1 } };
    const none = { type: "toolCall" as const, name: "tasks", arguments: { action: "done", number: 9 } };
    const { terminal, say } = await exampleTerminal(
      ["task-list.ts"],
      [{ blocks: [add, done, none] }, says("all done")],
      {
        rows: 40,
        args: ["--use-theme", "dark"],
      },
    );
    await say("go");
    await terminal.shows("all done");
    const text = terminal.text();
    expect(text).toMatch(
      /tasks add sweep\s+○ sweep[\s\S]*tasks done 1\s+✔ sweep[\s\S]*tasks done 9\s+There is no task 9\./,
    );
    covers("tool.renderCall", "tool.renderResult", "row.isError");
    const struck = terminal.screen().findIndex((line) => line.includes("✔ sweep"));
    expect(terminal.styles(struck)).toContain("strikethrough");
    covers("theme.strikethrough", "theme.bold", "theme.fg");
  });
});

describe("plan-first", () => {
  const it = testsOf(["plan-first"], terminal);
  it("listens to its key and says in the footer what holds", async ({ covers }) => {
    const { terminal } = await exampleTerminal(["plan-first.ts"]);
    terminal.type("\x1bl");
    await terminal.shows(/^planning$/m);
    covers("pi.registerShortcut", "ui.setStatus", "ui.theme", "theme.fg");
    terminal.type("\x1bl");
    await terminal.until("no plan", () => !/^planning$/m.test(terminal.text()));
  });
});

describe("mood", () => {
  const it = testsOf(["mood"], terminal);
  it("says what the agent does in other words, or nothing", async ({ covers }) => {
    const thoughts = {
      blocks: [
        { type: "thinking" as const, text: "hm" },
        { type: "text" as const, text: "thought" },
      ],
    };
    // The model and its command wait until they have been seen.
    let go = () => {};
    const seen = new Promise<void>((resolve) => {
      go = resolve;
    });
    const answers = [untilThere("go"), thoughts, untilThere("go"), says("end")];
    const script = async () => {
      await seen;
      return answers.shift() ?? says("?");
    };
    const { terminal, say, pi } = await exampleTerminal(["mood.ts"], script, {
      prepare: (pi) => {
        pi.configureModel({ reasoning: true });
        pi.configure("settings.json", '{"hideThinkingBlock":true}');
      },
    });
    await say("go");
    await terminal.shows(/[◐◓◑◒] Looking around/);
    go();
    covers("ui.setWorkingIndicator", "event:agent_start");
    await terminal.shows("Hammering");
    pi.write("go", "");
    covers("ui.setWorkingMessage", "event:tool_execution_start");
    await terminal.shows("thought");
    await terminal.shows("Brooding");
    covers("ui.setHiddenThinkingLabel");
    await terminal.until("rest", () => !/[◐◓◑◒]/.test(terminal.text()));
    covers("event:agent_end");
    await say("/mood quiet");
    const from = terminal.output.length;
    await say("once more");
    await terminal.shows("end");
    expect(terminal.output.slice(from)).not.toMatch(/[◐◓◑◒]|Hammering|Nodding/);
    covers("ui.setWorkingVisible");
  });
});

describe("tower-bell", () => {
  const it = testsOf(["tower-bell"], terminal);
  it("keeps the title true", async ({ covers }) => {
    const script = [calls("bash", { command: "rm -r x" }), says("done")];
    const { terminal, say } = await exampleTerminal(["tower-bell.ts", "permission-gate.ts"], script);
    const titles = () =>
      terminal.output
        .split("\x1b]0;")
        .slice(1)
        .map((rest) => rest.split(/\p{Cc}/u)[0]);
    await say("go");
    await terminal.shows("Delete files?");
    terminal.type(keys.enter);
    await terminal.shows("done");
    await terminal.until("the last title", () => titles().at(-1) === "✓ project");
    const own = titles().filter((title) => /^(pi|…|\?|✓) /.test(title ?? ""));
    expect(own.filter((title, at) => title !== own[at - 1])).toEqual([
      "pi project",
      "… project",
      "? Delete files?",
      "… project",
      "✓ project",
    ]);
    covers("ui.setTitle", "event:ui_prompt_start", "event:ui_prompt_end", "event:agent_start", "event:agent_settled");
    covers("ctx.cwd", "ctx.isIdle");
  });
});

describe("daylight", () => {
  const it = testsOf(["daylight"], terminal);
  it("takes the theme of the hour, tries others, and keeps what is chosen", async ({ covers }) => {
    const { terminal, say, pi } = await exampleTerminal(["daylight.ts"], [], {
      args: ["--hour=12"],
      prepare: (pi) => pi.configure("settings.json", '{"theme":"dark"}'),
    });
    const saved = () => JSON.parse(readFileSync(join(pi.agentDir, "settings.json"), "utf8")).theme;
    await terminal.until("the theme of the day", () => saved() === "light");
    covers("ui.setTheme", "ui.theme", "theme.name", "pi.getSettings", "ctx.mode");
    await say("/daylight");
    await terminal.shows(/Themes: .*dark.*\*light/);
    covers("ui.getAllThemes");
    await say("/daylight dark");
    await terminal.shows("Trying dark (dark)");
    expect(saved()).toBe("light");
    covers("ui.getTheme", "theme.appearance");
  });
});

describe("front-page", () => {
  const it = testsOf(["front-page"], terminal);
  it("is a header that follows the folds", async ({ covers }) => {
    const { terminal, say } = await exampleTerminal(["front-page.ts"], [], {
      ready: /\d+ tools, 1 commands/,
      args: ["--use-theme", "dark"],
    });
    expect(terminal.text()).toContain("7 tools, 1 commands");
    expect(terminal.text()).not.toContain("escape interrupt");
    covers("ui.setHeader", "pi.getAllTools", "pi.getCommands");
    await say("/unfold");
    await terminal.shows(/read bash edit write[\s\S]*\/unfold \(extension\)/);
    covers("ui.setToolsExpanded", "ui.getToolsExpanded");
    const title = terminal.screen().findIndex((line) => line.includes("7 tools"));
    expect(terminal.styles(title)).toContain("inverse");
    covers("theme.inverse");
    const row = terminal.screen().findIndex((line) => line.includes("read bash edit"));
    // Tools that are active have another colour than those that are not.
    const colors = terminal.colors(row);
    const text = terminal.screen()[row] ?? "";
    expect(colors[text.indexOf("read")]).not.toBe(colors[text.indexOf("grep")]);
    covers("pi.getActiveTools");
    await say("/unfold");
    await terminal.until("folded", () => !terminal.text().includes("/unfold (extension)"));
  });
});

describe("workbench", () => {
  const it = testsOf(["workbench"], terminal);
  it("shows tools at work above the editor and turns below", async ({ covers }) => {
    const script = [untilThere("go", "echo hammer"), says("made")];
    const { terminal, say, pi } = await exampleTerminal(["workbench.ts"], script, { rows: 30 });
    await say("go");
    await terminal.shows(/▸ bash: hammer\n/);
    pi.write("go", "");
    covers("ui.setWidget", "event:tool_execution_start", "event:tool_execution_update");
    await terminal.shows(/turn 0 ▇+ [\d.]+s 1 tools\nturn 1 ▇+ [\d.]+s 0 tools/);
    expect(terminal.text()).not.toContain("▸ bash");
    covers("event:tool_execution_end", "event:turn_start", "event:turn_end");
    // Below the editor, as asked.
    const rows = terminal.screen();
    expect(rows.findIndex((line) => line.startsWith("turn 0"))).toBeGreaterThan(
      rows.findLastIndex((line) => /^─+$/.test(line)),
    );
    await say("/bench");
    await terminal.until("a clear bench", () => !terminal.text().includes("turn 0"));
  });
});

describe("palette", () => {
  const it = testsOf(["palette"], terminal);
  it("shows every way to colour", async ({ covers }) => {
    const { terminal, say } = await exampleTerminal(["palette.ts"], [], { rows: 30, args: ["--use-theme", "dark"] });
    await say("/palette");
    await terminal.shows("── bash");
    const screen = terminal.screen();
    const row = (text: string) => screen.findIndex((line) => line.includes(text));
    const column = (text: string) => screen[row(text)]?.indexOf(text) ?? -1;
    const color = (text: string) => terminal.colors(row(text))[column(text)];
    const background = (text: string) => terminal.backgrounds(row(text))[column(text)];
    const plain = color("from the program");
    expect(screen.join("\n")).toMatch(/dark \(dark, truecolor\)\n.*\d+ colours, from the program/);
    covers("theme.name", "theme.appearance", "theme.getColorMode", "theme.colors", "theme.sourcePath");
    expect(terminal.styles(row("dark (dark"))).toContain("bold");
    covers("theme.bold");
    expect(color("accent")).not.toBe(plain);
    expect(background("selected")).not.toBe(background("accent"));
    covers("theme.fg", "theme.bg");
    expect(terminal.styles(row("error"))).toContain("inverse");
    expect(terminal.styles(row("italic"))).toEqual(expect.arrayContaining(["italic", "underline", "strikethrough"]));
    covers("theme.inverse", "theme.italic", "theme.underline", "theme.strikethrough");
    expect([color("a style") !== plain, background("a style") !== background("from")]).toEqual([true, true]);
    covers("theme.style");
    expect([color("by hand") !== plain, background("behind") !== background("from")]).toEqual([true, true]);
    covers("theme.getFgAnsi", "theme.getBgAnsi");
    expect(color("── off")).not.toBe(color("── high"));
    expect(color("── bash")).not.toBe(plain);
    covers("theme.getThinkingBorderColor", "theme.getBashModeBorderColor");
    terminal.type("x");
    await terminal.until("the editor", () => !terminal.text().includes("── bash"));
  });
});
