/**
 * Another look at the same conversation: ticket numbers become links, a read is one line, and thoughts are shortened.
 * Nothing of it reaches the model or the session.
 * Start: `pi -e reading-glasses.ts --tickets=https://tickets.example/`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

const LONGEST_THOUGHT = 200;

export default function readingGlasses(pi: ExtensionAPI) {
  pi.registerFlag("tickets", { type: "string", description: "Where tickets are", default: "https://tickets.example/" });

  pi.registerMarkdownTransformer(
    (markdown, { messageType, isStreaming }) => {
      if (messageType === "assistant-thinking") {
        return markdown.length > LONGEST_THOUGHT ? `${markdown.slice(0, LONGEST_THOUGHT)}…` : markdown;
      }
      // A number that still streams may become another one.
      if (isStreaming) return markdown;
      return markdown.replace(/\b([A-Z]{2,5}-\d+)\b/g, `[$1](${pi.getFlag("tickets")}$1)`);
    },
    { messageTypes: ["assistant", "assistant-thinking"] },
  );

  pi.registerToolRenderer((toolName, next) => {
    if (toolName !== "read") return next();
    return {
      renderShell: "self",
      renderCall: (args, theme, { executionStarted }) =>
        new Text(theme.fg("dim", `${executionStarted ? "📖" : "…"} ${(args as { path?: string }).path ?? ""}`), 0, 0),
      renderResult: (_result, _options, theme, { isError }) =>
        new Text(isError ? theme.fg("error", "✗ not read") : "", 0, 0),
    };
  });
}
