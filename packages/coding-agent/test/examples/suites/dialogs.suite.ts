import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { keys } from "../../interactive/terminal.js";
import { testsOf } from "../coverage/claims.js";
import { calls, says } from "../example-session.js";
import { exampleTerminal } from "../example-terminal.js";

const terminal = { terminal: true };

describe("permission-gate", () => {
  const it = testsOf(["permission-gate"], terminal);
  it("asks at the terminal", async ({ covers }) => {
    const script = [
      calls("bash", { command: "rm -r out" }),
      says("gone"),
      calls("bash", { command: "rm -r out" }),
      says("kept"),
    ];
    const { terminal, say, pi } = await exampleTerminal(["permission-gate.ts"], script);
    await say("clean up");
    await terminal.shows("Delete files?");
    terminal.type(keys.enter);
    await terminal.shows("gone");
    await say("once more");
    await terminal.shows("Delete files?");
    terminal.type(keys.down, keys.enter);
    await terminal.shows("kept");
    expect(pi.server.requests.at(-1)?.conversation.lastResults[0]?.text).toMatch(/does not want/);
    covers("ui.confirm");
  });
});

describe("second-opinion", () => {
  const it = testsOf(["second-opinion"], terminal);
  const question = calls("ask_user", { question: "Which?", choices: ["red", "blue"] });

  it("asks, takes other words, waits only so long, and goes with the run", async ({ covers }) => {
    const script = [question, says("one"), question, says("two"), question, says("three"), question, says("four")];
    const { terminal, say, pi } = await exampleTerminal(["second-opinion.ts"], script, { args: ["--patience=6"] });
    const said = () => pi.server.requests.at(-1)?.conversation.lastResults[0]?.text;
    await say("go");
    await terminal.shows(/Which\?.*\([1-6]s\)/);
    covers("dialog.timeout");
    terminal.type(keys.down, keys.enter);
    await terminal.shows("one");
    expect(said()).toBe("blue");
    covers("ui.select");
    await say("again");
    await terminal.shows("Something else");
    terminal.type(keys.down, keys.down, keys.enter);
    await terminal.shows("your words");
    terminal.type("green", keys.enter);
    await terminal.shows("two");
    expect(said()).toBe("green");
    covers("ui.input");
    await say("wait");
    await terminal.shows("three");
    expect(said()).toBe("The user has no opinion.");
    await say("stop");
    await terminal.shows(/Which\?.*s\)[\s\S]*Something else/);
    terminal.type(keys.escape);
    await terminal.until("no question", () => !terminal.text().includes("Something else"));
    covers("dialog.signal");
  });
});

describe("desk-drawer", () => {
  const it = testsOf(["desk-drawer"], terminal);
  it("puts a draft away and takes it out again, edited", async ({ covers }) => {
    const { terminal, say } = await exampleTerminal(["desk-drawer.ts"]);
    terminal.type("a thought");
    await terminal.shows("a thought");
    terminal.type("\x1bd");
    await terminal.shows("Put it away as");
    covers("pi.registerShortcut");
    terminal.type("idea", keys.enter);
    await terminal.shows("1 in the drawer");
    expect(terminal.text()).not.toContain("a thought");
    covers("ui.input", "ui.setStatus", "ui.setEditorText");
    await say("/drawer");
    await terminal.shows("Take out");
    terminal.type(keys.enter);
    await terminal.shows(/Draft "idea"[\s\S]*a thought/);
    covers("ui.select", "ui.getEditorText");
    terminal.type(" more", keys.enter);
    await terminal.shows("a thought more");
    await terminal.until("an empty drawer", () => !/in the drawer/.test(terminal.text()));
    expect(terminal.text()).not.toContain('Draft "idea"');
    covers("ui.editor", "ui.pasteToEditor");
  });
});

describe("traffic-lights", () => {
  const it = testsOf(["traffic-lights"], terminal);
  it("shows a form of its own, remembers, and tells the terminal that it waits", async ({ covers }) => {
    const touch = calls("bash", { command: "touch a; touch b" });
    const script = [touch, says("one"), touch, says("two"), calls("bash", { command: "echo x" }), says("three")];
    const { terminal, say, pi } = await exampleTerminal(["traffic-lights.ts"], script, {
      args: ["--use-theme", "dark"],
      env: { PI_PROGRAM_STATUS: "1" },
    });
    await say("go");
    await terminal.shows("a always go");
    expect(terminal.text()).toMatch(/STOP[\s\S]*touch a; touch b/);
    const row = terminal.screen().findIndex((line) => line.includes("STOP"));
    expect(terminal.backgrounds(row).some((color) => color > 0)).toBe(true);
    covers("ui.custom", "theme.style", "theme.bg");
    const message = Buffer.from("touch a; touch b").toString("base64");
    expect(terminal.output).toContain(`state=blocked:app=pi:kind=permission:msg=${message}`);
    covers("custom.blocked");
    terminal.type("r");
    await terminal.shows("one");
    expect(pi.server.requests.at(-1)?.conversation.lastResults[0]?.text).toBe("The user stopped this command.");
    expect(existsSync(join(pi.cwd, "a"))).toBe(false);
    await say("again");
    await terminal.shows("a always go");
    terminal.type("a");
    await terminal.shows("two");
    expect(existsSync(join(pi.cwd, "a"))).toBe(true);
    covers("event:tool_call");
    await say("harmless");
    await terminal.shows("three");
  });
});

describe("lights-out", () => {
  const it = testsOf(["lights-out"], terminal);
  it("is played over the conversation, steps aside, and ends with what was done", async ({ covers }) => {
    const { terminal } = await exampleTerminal(["lights-out.ts"]);
    terminal.type("/lights cr");
    await terminal.shows(/cross$/m);
    terminal.type(keys.tab);
    await terminal.shows("/lights cross");
    terminal.type(keys.enter);
    await terminal.shows("Lights out 0");
    const title = terminal.screen().find((line) => line.includes("Lights out")) ?? "";
    // In the upper right corner, as it asked for.
    expect(title.indexOf("Lights out")).toBeGreaterThan(55);
    covers("custom.overlay", "custom.overlayOptions", "ui.custom", "theme.fg", "theme.bold");
    terminal.type("h");
    await terminal.until("the game is hidden", () => !terminal.text().includes("Lights out"));
    await terminal.shows("Lights out 0");
    covers("custom.onHandle");
    terminal.type(keys.down, "\x1b[C", " ");
    await terminal.shows("Dark after 1 moves.");
    expect(terminal.text()).not.toContain("Lights out");
    covers("ui.notify", "pi.registerCommand");
  });
});

describe("bookmarks", () => {
  const it = testsOf(["bookmarks"], terminal);
  it("draws its marks, reminds with the next prompt, and goes back", async ({ covers }) => {
    const { terminal, say, pi } = await exampleTerminal(["bookmarks.ts"], [says("one"), says("two")]);
    await say("first");
    await terminal.shows("one");
    await say("/mark here it was good");
    await terminal.shows("🔖 here it was good");
    expect(pi.sessionEntries().find(({ customType }) => customType === "mark").data).toMatchObject({ kind: "message" });
    covers("session.getEntry");
    covers("pi.registerEntryRenderer", "pi.appendEntry", "session.getLeafId");
    await say("/remind tea");
    await say("second");
    await terminal.shows("two");
    await terminal.shows(/⏰ tea ctrl\+o more/);
    covers("pi.registerMessageRenderer");
    const texts = pi.server.requests[1]?.conversation.turns.map((turn) => ("text" in turn ? turn.text : ""));
    expect(texts?.join("\n")).toMatch(/second|Do not forget: tea/);
    expect(texts?.join("\n")).toContain("Do not forget: tea");
    covers("pi.sendMessage");
    await say("/marks");
    await terminal.shows("Back to");
    terminal.type(keys.enter);
    await terminal.shows('Back at "here it was good"');
    await terminal.until("the second answer is gone", () => !/^two$/m.test(terminal.text()));
    covers("ctx.navigateTree", "session.getLabel", "pi.setLabel", "ui.select", "session.getEntries");
  });
});
