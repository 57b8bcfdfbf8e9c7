import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys, leftOn } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();
const answer = () => ({ blocks: [{ type: "text" as const, text: "An answer." }] });

it("completes commands, and names the session", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("/na");
  await terminal.shows("→ name");
  terminal.type(keys.tab, "my work", keys.enter);
  await terminal.shows("Session name set: my work");
  await terminal.shows("~/project • my work");
  expect(terminal.output).toContain("\x1b]0;π - my work - project\x07");
});

it("chooses another model and thinking level", async () => {
  const pi = await start(answer);
  pi.configureModels([
    { id: "m1", name: "First", reasoning: true },
    { id: "m2", name: "Second" },
  ]);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("/model", keys.escape, keys.enter);
  await terminal.shows("→ ✓ m1 (First) [scripted]");
  terminal.type("sec");
  await terminal.shows("→   m2 (Second) [scripted]");
  terminal.type(keys.enter);
  await terminal.shows("Model: m2");
  terminal.type("/model scripted/m1", keys.escape, keys.enter);
  await terminal.shows("Model: m1");
  terminal.type("/thinking high", keys.escape, keys.enter);
  await terminal.shows("m1 • high");
  terminal.type(keys.shiftTab);
  await terminal.shows("Thinking level:");
});

it("opens settings, changes one, and keeps it; says of one that the project decides", async () => {
  const pi = await start(answer);
  mkdirSync(join(pi.cwd, ".pi"));
  pi.write(".pi/settings.json", '{"outputPad":1}');
  const terminal = open(pi, ["--approve"]);
  await terminal.ready();
  terminal.type("/settings", keys.escape, keys.enter);
  await terminal.shows("Type to search · Enter/Space to change · Esc to cancel");
  terminal.type("padding");
  await terminal.shows("→ Editor padding");
  terminal.type(keys.enter);
  await terminal.shows(/Editor padding\s+1/);
  terminal.type(keys.down);
  await terminal.shows(/→ Output padding \(project\)\s+1/);
  await terminal.shows("This project decides:");
  terminal.type(keys.enter);
  await terminal.shows("here it stays as the project says: outputPad in");
  expect(terminal.text()).toMatch(/→ Output padding \(project\)\s+1/);
  terminal.type(keys.escape);
  await terminal.until("the editor", () => !terminal.text().includes("Type to search"));
});

it("goes back in the tree and says so", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("first question", keys.enter);
  await terminal.shows("An answer.");
  terminal.type("/tree", keys.escape, keys.enter);
  await terminal.shows("› • assistant: An answer.");
  terminal.type(keys.up);
  await terminal.shows("› • user: first question");
  terminal.type(keys.enter);
  await terminal.shows("Summarize branch?");
  terminal.type(keys.enter);
  await terminal.shows("Navigated to selected point");
  await expect.poll(() => terminal.text()).toContain("\nfirst question\n");
  expect(terminal.text()).not.toContain("An answer.");
});

it("lists sessions, resumes one, and forks", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("about apples", keys.enter);
  await terminal.shows("An answer.");
  terminal.type("/new", keys.escape, keys.enter);
  await terminal.shows("New session started");
  terminal.type("/resume", keys.escape, keys.enter);
  await terminal.shows("◉ Current Folder ○ All");
  await terminal.shows("→ about apples");
  terminal.type(keys.enter);
  await terminal.shows("Resumed session");
  await expect.poll(() => terminal.text()).toContain("An answer.");
  terminal.type("/fork", keys.escape, keys.enter);
  await terminal.shows("→ about apples");
  terminal.type(keys.enter);
  await terminal.shows("Forked to new session");
  await expect.poll(() => terminal.text()).toContain("\nabout apples\n");
});

it("shows keys for a question mark, and takes the next letter as text", async () => {
  const pi = await start(answer);
  const terminal = open(pi, [], { rows: 40 });
  await terminal.ready();
  terminal.type("?");
  await terminal.shows("any other key closes");
  await expect.poll(() => terminal.text()).toContain("Stop what is running");
  terminal.type("why");
  await terminal.shows("\n?why\n");
});

it("exports and copies", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("/copy", keys.escape, keys.enter);
  await terminal.shows("No agent messages to copy yet.");
  terminal.type("hello", keys.enter);
  await terminal.shows("An answer.");
  terminal.type("/copy", keys.escape, keys.enter);
  await terminal.shows("Copied last agent message to clipboard");
  expect(terminal.output).toContain(`\x1b]52;c;${Buffer.from("An answer.").toString("base64")}\x07`);
  terminal.type("/export out.html", keys.escape, keys.enter);
  await terminal.shows("Session exported to: out.html");
});

it("reads keys again", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  pi.configure("keybindings.json", JSON.stringify({ selectModel: "ctrl+y" }));
  terminal.type("/reload", keys.escape, keys.enter);
  await terminal.shows("Reloaded");
  terminal.type(keys.ctrl("y"));
  await terminal.shows("Select model");
});

it("imports a session file", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("about plums", keys.enter);
  await terminal.shows("An answer.");
  terminal.type("/export plums.jsonl", keys.escape, keys.enter);
  await terminal.shows(/Session exported to: \S+plums\.jsonl/);
  terminal.type("/new", keys.escape, keys.enter);
  await terminal.shows("New session started");
  terminal.type("/import plums.jsonl", keys.escape, keys.enter);
  await terminal.shows("Import session?");
  terminal.type(keys.enter);
  await terminal.shows("Session imported from: plums.jsonl");
  await expect.poll(() => terminal.text()).toContain("about plums");
});

it("changes the screen and keeps the conversation and the draft", async () => {
  const pi = await start(answer);
  const terminal = open(pi);
  await terminal.ready();
  terminal.type("hello", keys.enter);
  await terminal.shows("An answer.");
  terminal.type("/settings", keys.escape, keys.enter);
  await terminal.shows("Auto-compaction");
  terminal.type("Screen");
  await terminal.shows(/→ Screen +fullscreen/);
  terminal.type(keys.enter);
  await terminal.shows(/→ Screen +regular/);
  terminal.type(keys.escape);
  await terminal.until("the editor", () => !terminal.text().includes("Type to search"));
  terminal.type("a draft");
  await terminal.shows("\na draft\n");
  await expect.poll(() => terminal.text()).toContain("An answer.");
  terminal.type(keys.ctrl("c"), keys.ctrl("d"));
  expect((await terminal.exited).exitCode).toBe(0);
  expect(leftOn(terminal.output)).toEqual([]);
});

it("says when a request was not read from the prompt cache, once that is wanted", async () => {
  const usages = [{ cacheWrite: 8000 }, { cacheWrite: 9000 }, { cacheWrite: 9000 }];
  const pi = await start(usages.map((usage) => ({ ...answer(), usage: { input: 10, ...usage } })));
  const terminal = open(pi);
  await terminal.ready();
  const ask = async (text: string) => {
    terminal.type(text, keys.enter);
    await terminal.until(`an answer to ${text}`, () =>
      /An answer\./.test(terminal.text().split(` ${text}\n`)[1] ?? ""),
    );
    await terminal.until("an end", () => !terminal.text().includes("Working"));
  };
  await ask("one");
  await ask("two");
  expect(terminal.text()).not.toContain("Cache miss");
  terminal.type("/settings", keys.escape, keys.enter);
  await terminal.shows("Type to search");
  terminal.type("cache");
  await terminal.shows(/→ Cache-miss notices +false/);
  terminal.type(keys.enter);
  await terminal.shows(/→ Cache-miss notices +true/);
  terminal.type(keys.escape);
  await terminal.until("the editor", () => !terminal.text().includes("Type to search"));
  await ask("three");
  await terminal.shows("Cache miss: 9k of 9k cached tokens were sent anew");
});
