/**
 * Works through a list of prompts, one after another, and ends the program: `/night-shift prompts.txt`. What you say
 * meanwhile comes first.
 * Start: `pi -e night-shift.ts`, or `/night-shift` from a script over RPC.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function nightShift(pi: ExtensionAPI) {
  pi.registerCommand("night-shift", {
    description: "Work through a file of prompts, then end",
    handler: async (file, ctx) => {
      const prompts = readFileSync(resolve(ctx.cwd, file), "utf8").split("\n").filter(Boolean);
      let done = 0;
      for (const prompt of prompts) {
        if (!ctx.isIdle() || ctx.hasPendingMessages()) await ctx.waitForIdle();
        pi.sendUserMessage(prompt, ctx.isIdle() ? {} : { deliverAs: "followUp" });
        // It begins in its own time.
        await new Promise((begun) => setTimeout(begun, 10));
        await ctx.waitForIdle();
        done++;
      }
      ctx.ui.notify(`${done} prompts done, good morning`);
      ctx.shutdown();
    },
  });
}
