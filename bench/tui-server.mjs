// A process of its own that streams words at the speed that the prompt asks for.
import { startScriptedServer } from "@pi/testkit";

// Paragraphs of 1 KB, as the messages of the conversations.
const paragraph = "Some **words** in `Markdown` that a model may say. ".repeat(20).trimEnd();
const text = `${paragraph}\n\n`.repeat(100);

const server = await startScriptedServer({
  script: ({ conversation }) => {
    const last = conversation.turns.at(-1);
    const isFast = last?.role === "user" && last.text.endsWith("fast");
    return { blocks: [{ type: "text", text }], deltaSize: 6, chunking: "event", eventDelayMs: isFast ? 4 : 49 };
  },
});
process.send?.(server.baseUrl("anthropic-messages"));
process.on("disconnect", () => process.exit());
