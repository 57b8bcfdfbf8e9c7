// A process of its own that streams long texts, so that its CPU time does not count as the client's.
import { startScriptedServer } from "@pi/testkit";

const [deltas = "1000", size = "4"] = process.argv.slice(2);
const text = "word ".repeat(Math.ceil((Number(deltas) * Number(size)) / 5)).slice(0, Number(deltas) * Number(size));

const server = await startScriptedServer({
  script: ({ conversation }) => {
    const last = conversation.turns.at(-1);
    const isMany = last?.role === "user" && last.text === "many";
    return {
      blocks: [{ type: "text", text }],
      deltaSize: Number(size),
      chunking: isMany ? { bytes: 16_384 } : "event",
    };
  },
});
process.send?.(server.url);
process.on("disconnect", () => process.exit());
