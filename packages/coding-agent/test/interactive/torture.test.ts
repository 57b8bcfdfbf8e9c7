import fc from "fast-check";
import { expect, it } from "vitest";
import { usePi } from "../pi.js";
import { keys } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();

/** What an editor of one line is, as simple as can be. */
class Model {
  text = "";
  at = 0;

  apply({ key, text }: Press): void {
    const [before, after] = [this.text.slice(0, this.at), this.text.slice(this.at)];
    if (key === "insert") {
      this.text = before + text + after;
      this.at += text.length;
    } else if (key === "backspace" && this.at > 0) {
      this.text = before.slice(0, -1) + after;
      this.at--;
    } else if (key === "delete") this.text = before + after.slice(1);
    else if (key === "left") this.at = Math.max(0, this.at - 1);
    else if (key === "right") this.at = Math.min(this.text.length, this.at + 1);
    else if (key === "home") this.at = 0;
    else if (key === "end") this.at = this.text.length;
  }
}

interface Press {
  key: "insert" | "backspace" | "delete" | "left" | "right" | "home" | "end";
  text: string;
  bytes: string;
}

const special: Record<Exclude<Press["key"], "insert">, string> = {
  backspace: "\x7f",
  delete: "\x1b[3~",
  left: "\x1b[D",
  right: "\x1b[C",
  home: "\x1b[H",
  end: "\x1b[F",
};
const letters = "abcdefghijklmnopqrstuvwxyz 0123456789.,;äöü中文";
const letter = fc.constantFrom(...letters).map((text): Press => ({ key: "insert", text, bytes: text }));
const paste = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 300 })
  // What looks like a path gets a space before it when it is pasted behind a word.
  .filter((text) => !/^[./~]/.test(text))
  .map((text): Press => ({ key: "insert", text, bytes: `\x1b[200~${text}\x1b[201~` }));
const movement = fc
  .constantFrom(...(Object.keys(special) as (keyof typeof special)[]))
  .map((key): Press => ({ key, text: "", bytes: special[key] }));
const presses = fc.array(
  fc.oneof({ weight: 6, arbitrary: letter }, { weight: 3, arbitrary: movement }, { weight: 1, arbitrary: paste }),
  {
    minLength: 150,
    maxLength: 250,
  },
);

it("takes any keys and pastes while two hundred deltas a second stream, in order and whole", async () => {
  const [sequence = []] = fc.sample(presses, 1);
  const pi = await start([
    { blocks: [{ type: "text", text: "word ".repeat(1200) }], deltaSize: 5, eventDelayMs: 5 },
    { blocks: [{ type: "text", text: "Got it." }] },
  ]);
  // How far apart the bytes of a key arrive here is up to the machine.
  const terminal = open(pi, [], { env: { PI_TUI_ESC_TIMEOUT: "5000" } });
  await terminal.ready();
  terminal.type("begin", keys.enter);
  await terminal.shows("word word");
  const model = new Model();
  // What begins with one of these is a command, the keys' help or a shell's.
  for (const press of [{ key: "insert", text: "x", bytes: "x" } as const, ...sequence]) {
    model.apply(press);
    // Bytes may arrive one by one.
    for (const byte of press.key === "insert" ? [press.bytes] : press.bytes) terminal.type(byte);
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  terminal.type("\x1b[F", "!", keys.enter);
  await pi.server.waitForRequest(1, 25_000);
  const sent = pi.server.requests[1]?.conversation.turns.at(-1);
  expect(sent).toMatchObject({ role: "user", text: `${model.text}!`.trim() });
});
