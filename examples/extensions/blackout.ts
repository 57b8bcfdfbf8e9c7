/**
 * Keeps secrets of this machine from models: what the environment calls a key, token or password is blacked out in
 * results, in what is sent, and in what is kept of answers.
 * Start: `pi -e blackout.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const BLACK = "█████";
const SHORTEST = 8;

export default function blackout(pi: ExtensionAPI) {
  const secrets = Object.entries(process.env)
    .filter(([name, value]) => /KEY|TOKEN|SECRET|PASSW/i.test(name) && value && value.length >= SHORTEST)
    .map(([, value]) => value ?? "");
  const black = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, BLACK), text);
  const blackParts = <Part extends { type: string; text?: string }>(parts: readonly Part[]): Part[] =>
    parts.map((part) => (part.text === undefined ? part : { ...part, text: black(part.text) }));

  // First of all before it is written down.
  pi.on("tool_result", ({ content }) => ({ content: blackParts(content) }));
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant") return undefined;
    return { message: { ...message, content: blackParts(message.content) } };
  });
  // And what you wrote yourself, on its way out: the session keeps it as it was.
  pi.on("context", ({ messages }) => ({
    messages: messages.map((message) => {
      if (message.role !== "user") return message;
      const { content } = message;
      return { ...message, content: typeof content === "string" ? black(content) : blackParts(content) };
    }),
  }));
}
