/**
 * What lies on the bench: the tools at work above the editor, with what they said last; below it, the last five turns
 * by how long they took. `/bench` clears both.
 * Start: `pi -e workbench.ts`
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

export default function workbench(pi: ExtensionAPI) {
  const atWork = new Map<string, string>();
  const turns: { index: number; ms: number; tools: number }[] = [];
  let startedAt = 0;

  function show(ctx: ExtensionContext) {
    ctx.ui.setWidget("at-work", atWork.size > 0 ? [...atWork.values()] : undefined);
    if (turns.length === 0) return ctx.ui.setWidget("turns", undefined);
    const most = Math.max(...turns.map(({ ms }) => ms), 1);
    return ctx.ui.setWidget(
      "turns",
      (_tui, theme) => {
        const bars = turns.map(({ index, ms, tools }) => {
          const bar = theme.fg("accent", "▇".repeat(Math.max(1, Math.round((ms / most) * 12))));
          return `turn ${index} ${bar} ${(ms / 1000).toFixed(1)}s ${theme.fg("dim", `${tools} tools`)}`;
        });
        return new Text(bars.join("\n"), 0, 0);
      },
      { placement: "belowEditor" },
    );
  }

  pi.on("turn_start", ({ timestamp }) => {
    startedAt = timestamp;
  });
  pi.on("turn_end", ({ turnIndex, toolResults }, ctx) => {
    turns.push({ index: turnIndex, ms: Date.now() - startedAt, tools: toolResults.length });
    turns.splice(0, Math.max(0, turns.length - 5));
    show(ctx);
  });
  pi.on("tool_execution_start", ({ toolCallId, toolName }, ctx) => {
    atWork.set(toolCallId, `▸ ${toolName}`);
    show(ctx);
  });
  pi.on("tool_execution_update", ({ toolCallId, toolName, partialResult }, ctx) => {
    const last = partialResult.content.findLast((part) => part.type === "text");
    const line = last?.type === "text" ? (last.text.trimEnd().split("\n").at(-1) ?? "") : "";
    atWork.set(toolCallId, `▸ ${toolName}: ${line}`);
    show(ctx);
  });
  pi.on("tool_execution_end", ({ toolCallId }, ctx) => {
    atWork.delete(toolCallId);
    show(ctx);
  });
  pi.registerCommand("bench", {
    description: "Clear the bench",
    handler: async (_args, ctx) => {
      turns.length = 0;
      show(ctx);
    },
  });
}
