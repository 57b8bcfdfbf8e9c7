import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
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
}, 60_000);
