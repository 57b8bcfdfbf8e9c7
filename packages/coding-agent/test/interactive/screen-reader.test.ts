import { expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

it("appends plain lines only, and understands commands", async () => {
  const pi = await start(({ conversation }) =>
    conversation.lastResults.length === 0
      ? { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "echo hi" } }] }
      : { blocks: [{ type: "text", text: "It said hi.\nThat is all." }], deltaSize: 3 },
  );
  const terminal = open(pi, [], { env: { PI_SCREEN_READER: "1" } });
  await terminal.shows("Type a prompt and press Enter.");
  terminal.type("say hi\r");
  await terminal.shows("That is all.");
  expect(terminal.text()).toContain(
    "Tool bash: echo hi\nTool bash done, 1 line.\nAssistant:\nIt said hi.\nThat is all.",
  );
  terminal.type("!echo mine; exit 2\r");
  await terminal.shows("mine\n(exit 2)");
  terminal.type("/thinking\r");
  await terminal.shows("Thinking level: off.");
  terminal.type(keys.ctrl("d"));
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.all().join("\n")).toContain("To resume this session:\npi --session ");
  // Nothing that moves the cursor, colours, or takes the screen.
  expect(terminal.output).not.toContain("\x1b");
});

it("stops an answer with Ctrl+C", async () => {
  const pi = await start([{ blocks: [{ type: "text", text: "word\n".repeat(300) }], deltaSize: 5, eventDelayMs: 20 }]);
  const terminal = open(pi, [], { env: { PI_SCREEN_READER: "1" } });
  await terminal.shows("Type a prompt");
  terminal.type("begin\r");
  await terminal.shows("word\nword");
  terminal.type(keys.ctrl("c"));
  await terminal.shows("Operation aborted");
});
