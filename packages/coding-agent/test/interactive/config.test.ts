import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys, type PiTerminal } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const startPi = usePi();
const open = useTerminal();

const bare = (terminal: PiTerminal) =>
  terminal
    .text()
    .split("\n")
    .filter((line) => line.includes("["));

it("pi config switches resources of the user and of a trusted project, in a list that is searched", async () => {
  const pi = await startPi([]);
  for (const folder of [join(pi.agentDir, "prompts"), join(pi.cwd, ".pi", "prompts")]) {
    mkdirSync(folder, { recursive: true });
    for (const name of ["first.md", "second.md"]) writeFileSync(join(folder, name), "x");
  }
  const settings = (folder: string) => JSON.parse(readFileSync(join(folder, "settings.json"), "utf8"));
  const terminal = open(pi, ["config"], { bare: true });
  await terminal.shows("Trust project folder?");
  await terminal.shows("Type a number");
  terminal.type("1\r");
  await terminal.shows("[x] second.md [prompts]");
  terminal.type(" ");
  await terminal.shows("[ ] first.md [prompts]");
  terminal.type("sec", keys.enter);
  await terminal.shows("[ ] second.md [prompts]");
  expect(bare(terminal).filter((line) => line.includes("first"))).toEqual([]);
  terminal.type(keys.enter);
  await terminal.shows("[x] second.md [prompts]");
  terminal.type(keys.backspace, keys.backspace, keys.backspace, keys.tab);
  await terminal.shows("[x] first.md [prompts]");
  terminal.type(keys.down, keys.enter);
  await terminal.shows("[ ] second.md [prompts]");
  terminal.type(keys.escape);
  expect((await terminal.exited).exitCode).toBe(0);
  expect(settings(pi.agentDir)).toMatchObject({ prompts: ["-prompts/first.md"] });
  expect(settings(join(pi.cwd, ".pi"))).toEqual({ prompts: ["-prompts/second.md"] });
});

it("says what it needs", async () => {
  const pi = await startPi([]);
  mkdirSync(join(pi.cwd, ".pi", "prompts"), { recursive: true });
  const run = (...words: string[]) => pi.run(["config", ...words]);
  expect(await run("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage: pi config [-l]") });
  expect(await run("-l")).toMatchObject({
    code: 1,
    stderr: "Project is not trusted. Use --approve to modify local resource config.\n",
  });
  expect(await run("-a")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^"pi config" requires an interactive terminal\./),
  });
  expect(await run("-z")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Unknown option -z for "config"\.\n/),
  });
  expect(await run("word")).toMatchObject({
    code: 1,
    stderr: "Unexpected argument word.\nUsage: pi config [-l] [--approve|--no-approve]\n",
  });
});
