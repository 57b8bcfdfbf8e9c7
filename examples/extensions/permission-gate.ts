/**
 * Asks before a command deletes files. Nobody there to ask: the command does not run.
 * Try it: `pi -e permission-gate.ts`
 */
import { type ExtensionAPI, isToolCallEventType } from "@earendil-works/pi-coding-agent";

const dangerous = /\brm\s+(-\w*r\w*|--recursive)\b/;

export default function permissionGate(pi: ExtensionAPI) {
  pi.on("tool_call", async (event, ctx) => {
    if (!isToolCallEventType("bash", event) || !dangerous.test(event.input.command)) return undefined;
    const isAllowed = await ctx.ui.confirm("Delete files?", event.input.command);
    return isAllowed ? undefined : { block: true, reason: "The user does not want these files deleted." };
  });
}
