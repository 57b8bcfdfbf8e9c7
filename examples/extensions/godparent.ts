/**
 * Names a session after the first thing you ask, once; `/name` still has the last word.
 * Start: `pi -e godparent.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const WORDS = 6;

export default function godparent(pi: ExtensionAPI) {
  pi.on("before_agent_start", (event) => {
    if (event.messageType !== "user" || pi.getSessionName() !== undefined) return;
    const words = event.prompt.split(/\s+/);
    pi.setSessionName(words.slice(0, WORDS).join(" ") + (words.length > WORDS ? "…" : ""));
  });
  pi.on("session_info_changed", ({ name }, ctx) => ctx.ui.setStatus("name", name && `« ${name} »`));
}
