import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const startPi = usePi();
const open = useTerminal();

const extension = `
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => ctx.ui.setStatus("mine", "extension is here"));
  pi.registerCommand("ask", {
    description: "Asks a question",
    handler: async (_args, ctx) => {
      const answer = await ctx.ui.select("Which?", ["red", "blue"]);
      ctx.ui.notify("You chose " + answer);
      pi.sendMessage({ customType: "choice", content: String(answer), display: true });
    },
  });
  pi.registerMessageRenderer("choice", (message) => new Text("<<" + message.content + ">>", 0, 0));
  pi.registerShortcut("alt+g", { description: "Greets", handler: (ctx) => ctx.ui.notify("greeted by key") });
}
`;

it("an extension asks, draws, listens to keys and is loaded again", async () => {
  const pi = await startPi([]);
  mkdirSync(join(pi.agentDir, "extensions"));
  const file = join(pi.agentDir, "extensions", "mine.ts");
  writeFileSync(file, extension);
  const terminal = open(pi);
  await terminal.shows("extension is here");
  terminal.type("/ask", keys.escape, keys.enter);
  await terminal.shows("Which?");
  terminal.type(keys.down, keys.enter);
  await terminal.shows("You chose blue");
  await terminal.shows("<<blue>>");
  terminal.type("\x1bg");
  await terminal.shows("greeted by key");
  writeFileSync(file, extension.replace("extension is here", "a new one is here"));
  terminal.type("/reload", keys.enter);
  await terminal.shows("a new one is here");
}, 60_000);

it("one that does not load is named, and the rest works", async () => {
  const pi = await startPi([]);
  mkdirSync(join(pi.agentDir, "extensions"));
  writeFileSync(
    join(pi.agentDir, "extensions", "bad.ts"),
    "export default function () {\n  throw new Error('no way');\n}",
  );
  writeFileSync(join(pi.agentDir, "extensions", "mine.ts"), extension);
  const terminal = open(pi);
  await terminal.shows("extension is here");
  await terminal.shows("bad.ts");
  await terminal.shows("no way");
  await terminal.shows('Start without extensions using "pi -ne".');
  await expect.poll(() => terminal.text().match(/no way/g)).toHaveLength(1);
  terminal.type("/reload", keys.enter);
  await terminal.shows("Reloaded keybindings");
  await expect.poll(() => terminal.text().match(/no way/g)).toHaveLength(1);
}, 60_000);

it("what it prints and what it throws behind everybody's back is said, and tears nothing", async () => {
  const pi = await startPi([]);
  mkdirSync(join(pi.agentDir, "extensions"));
  writeFileSync(
    join(pi.agentDir, "extensions", "leaky.ts"),
    `export default (pi) => {
      console.log("printed by %s", "the factory");
      pi.registerCommand("print", { handler: async () => console.error("printed later") });
      pi.registerCommand("leak", { handler: async (_args, ctx) => {
        setTimeout(() => { throw new Error("from a timer"); }, 5);
        void Promise.reject(new Error("left alone"));
      } });
    };`,
  );
  const terminal = open(pi, [], { columns: 140, rows: 60 });
  await terminal.ready();
  await terminal.shows("printed by the factory");
  terminal.type("/print", keys.escape, keys.enter);
  await terminal.shows("printed later");
  terminal.type("/leak", keys.escape, keys.enter);
  await terminal.shows(/Extension ".*leaky\.ts" error: from a timer/);
  await terminal.shows(/Extension ".*leaky\.ts" error: left alone/);
  terminal.type("still here");
  await terminal.shows("still here");
}, 60_000);

it("one of the user's own asks the user about a project, at the terminal", async () => {
  const pi = await startPi([]);
  mkdirSync(join(pi.agentDir, "extensions"));
  mkdirSync(join(pi.cwd, ".pi", "extensions"), { recursive: true });
  writeFileSync(
    join(pi.agentDir, "extensions", "guard.ts"),
    `export default (pi) => pi.on("project_trust", async ({ cwd }, { ui, mode, hasUI }) => {
      ui.notify("asked in " + mode + " " + hasUI, "warning");
      const name = await ui.input("Who are you?", "name");
      const how = await ui.select("How sure?", ["very", "hardly"]);
      return { trusted: (await ui.confirm("Trust?", name + " is " + how)) ? "yes" : "no", remember: true };
    });`,
  );
  writeFileSync(
    join(pi.cwd, ".pi", "extensions", "own.ts"),
    `export default (pi) => pi.on("session_start", (_event, ctx) => ctx.ui.notify("the project is here"));`,
  );
  const terminal = open(pi);
  await terminal.shows("Who are you?");
  terminal.type("Ada", keys.enter);
  await terminal.shows("How sure?");
  terminal.type(keys.enter);
  await terminal.shows("Ada is very");
  terminal.type(keys.enter);
  await terminal.shows("the project is here");
  await terminal.shows("asked in tui true");
  expect(JSON.parse(readFileSync(join(pi.agentDir, "trust.json"), "utf8"))).toEqual({ [pi.cwd]: true });
}, 60_000);

it("resources that it brings and that have a name already are told", async () => {
  const pi = await startPi([]);
  for (const folder of ["extensions", "prompts", "more"]) mkdirSync(join(pi.agentDir, folder));
  for (const folder of ["prompts", "more"]) writeFileSync(join(pi.agentDir, folder, "say.md"), "Say $@.");
  const more = JSON.stringify([join(pi.agentDir, "more"), join(pi.agentDir, "gone.md")]);
  const path = join(pi.agentDir, "extensions", "more.ts");
  writeFileSync(path, `export default (pi) => pi.on("resources_discover", () => ({ promptPaths: ${more} }));`);
  const terminal = open(pi, [], { columns: 200 });
  await terminal.shows('more/say.md: name "/say" collision');
  await terminal.shows("gone.md: prompt template path does not exist");
  const { stderr, code } = await pi.pi(["-p"]);
  expect(stderr.replaceAll(pi.agentDir, "$AGENT").split("\n")).toEqual([
    'Extension error ($AGENT/extensions/more.ts): $AGENT/more/say.md: name "/say" collision',
    "Extension error ($AGENT/extensions/more.ts): $AGENT/gone.md: prompt template path does not exist",
    "",
  ]);
  expect(code).toBe(0);
}, 60_000);
