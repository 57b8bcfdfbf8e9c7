/**
 * Hands over: `/relay <what next>` begins a session that knows where it comes from and what was asked here, and asks
 * the next thing there. `/relay` alone goes back to the session before.
 * Start: `pi -e relay.ts`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function relay(pi: ExtensionAPI) {
  pi.registerCommand("relay", {
    description: "Go on in a new session, or back",
    handler: async (next, ctx) => {
      await ctx.waitForIdle();
      if (next === "") {
        const parent = ctx.sessionManager.getHeader()?.parentSession;
        if (!parent) return ctx.ui.notify("There is no session before this one", "warning");
        await ctx.switchSession(parent, {
          // `ctx` belongs to the session that is gone by then: everything goes through the new one.
          withSession: async (fresh) =>
            fresh.sendMessage({ customType: "relay", content: "The other session is over.", display: true }),
        });
        return;
      }
      const asked = ctx.sessionManager.buildContextEntries().flatMap((entry) => {
        if (entry.type !== "message" || entry.message.role !== "user") return [];
        const { content } = entry.message;
        return [
          typeof content === "string"
            ? content
            : content.map((part) => (part.type === "text" ? part.text : "")).join(""),
        ];
      });
      const from = ctx.sessionManager.getSessionFile();
      const name = pi.getSessionName() ?? "a session";
      await ctx.newSession({
        ...(from && { parentSession: from }),
        setup: (session) => void session.appendSessionInfo(`${next} (after ${name})`),
        withSession: async (fresh) => {
          await fresh.sendMessage({ customType: "relay", content: `Asked so far: ${asked.join("; ")}`, display: true });
          await fresh.sendUserMessage(next);
        },
      });
    },
  });
}
