/**
 * For people who look elsewhere: the terminal's title says what is going on, and a bell rings when you are asked or
 * when a run is over that took longer than `--bell-after` seconds.
 * Start: `pi -e tower-bell.ts --bell-after=20`
 */
import { basename } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function towerBell(pi: ExtensionAPI) {
  pi.registerFlag("bell-after", {
    type: "string",
    description: "Seconds before the end of a run rings",
    default: "10",
  });
  let startedAt = 0;
  const ring = () => pi.events.emit("bell", "\x07");

  pi.on("session_start", (_event, ctx) => ctx.ui.setTitle(`pi ${basename(ctx.cwd)}`));
  pi.on("agent_start", (_event, ctx) => {
    startedAt = Date.now();
    ctx.ui.setTitle(`… ${basename(ctx.cwd)}`);
  });
  pi.on("agent_settled", ({ aborted }, ctx) => {
    ctx.ui.setTitle(`${aborted ? "✗" : "✓"} ${basename(ctx.cwd)}`);
    if (Date.now() - startedAt >= Number(pi.getFlag("bell-after")) * 1000) ring();
  });
  pi.on("ui_prompt_start", ({ title, kind }, ctx) => {
    ctx.ui.setTitle(`? ${title ?? kind}`);
    ring();
  });
  pi.on("ui_prompt_end", (_event, ctx) => ctx.ui.setTitle(`${ctx.isIdle() ? "✓" : "…"} ${basename(ctx.cwd)}`));
}
