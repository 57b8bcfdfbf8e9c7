/**
 * An allowance for a run: `--allowance` characters of answers, and not more of the context than `--fullest` percent.
 * What goes beyond is stopped while it streams. It is also the smallest example that watches a stream.
 * Start: `pi -e allowance.ts --allowance=20000 --fullest=80`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function allowance(pi: ExtensionAPI) {
  pi.registerFlag("allowance", { type: "string", description: "Characters of answers in one run", default: "50000" });
  pi.registerFlag("fullest", { type: "string", description: "Percent of the context", default: "90" });
  let spent = 0;
  let open = 0;

  pi.on("agent_start", () => {
    spent = 0;
  });
  pi.on("message_start", ({ message }) => {
    if (message.role === "assistant") open++;
  });
  pi.on("message_update", ({ assistantMessageEvent: event }, ctx) => {
    if ("delta" in event) spent += event.delta.length;
    if (spent <= Number(pi.getFlag("allowance")) || ctx.signal?.aborted) return;
    ctx.ui.notify(`Stopped after ${open} answers: the allowance is spent`, "warning");
    ctx.abort();
  });
  pi.on("turn_end", (_event, ctx) => {
    const percent = ctx.getContextUsage()?.percent ?? 0;
    if (percent > Number(pi.getFlag("fullest")))
      ctx.ui.notify(`The context is ${Math.round(percent)} % full`, "warning");
  });
}
