/**
 * What the agent does, in other words: the row that spins names the tool, rests between turns, and thoughts get a label.
 * Start: `pi -e mood.ts`. `/mood quiet` hides the row, `/mood` brings the usual one back.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const words: Record<string, string> = { bash: "Hammering", read: "Reading", edit: "Carving", write: "Writing" };

export default function mood(pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setWorkingIndicator({ frames: ["◐", "◓", "◑", "◒"], intervalMs: 120 });
    ctx.ui.setHiddenThinkingLabel("Brooding");
  });
  pi.on("agent_start", (_event, ctx) => ctx.ui.setWorkingMessage("Looking around"));
  pi.on("tool_execution_start", ({ toolName }, ctx) => ctx.ui.setWorkingMessage(words[toolName] ?? toolName));
  pi.on("tool_execution_end", ({ isError }, ctx) => ctx.ui.setWorkingMessage(isError ? "Frowning" : "Nodding"));
  pi.on("agent_end", (_event, ctx) => ctx.ui.setWorkingMessage());
  pi.registerCommand("mood", {
    description: "`/mood quiet`: no row while working",
    handler: async (args, ctx) => {
      ctx.ui.setWorkingVisible(args !== "quiet");
      if (args !== "quiet") ctx.ui.setWorkingIndicator();
    },
  });
}
