/**
 * Plan first: the model may look at everything and change nothing, until you like its plan.
 * Start: `pi -e plan-first.ts`, then alt+l or `/plan`; `pi -e plan-first.ts --plan-first` begins that way.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

const LOOKING = ["read", "grep", "find", "ls"];

export default function planFirst(pi: ExtensionAPI) {
  /** The tools to give back; undefined while nothing is held back. */
  let heldBack: string[] | undefined;

  function show(ctx: ExtensionContext) {
    ctx.ui.setStatus("plan", heldBack && ctx.ui.theme.fg("warning", "planning"));
  }

  function toggle(ctx: ExtensionContext) {
    if (heldBack) pi.setActiveTools(heldBack);
    const before = heldBack ? undefined : pi.getActiveTools();
    if (before) pi.setActiveTools(LOOKING);
    heldBack = before;
    // In the session, so that a reload or a resume goes on in the same way.
    pi.appendEntry("plan-first", { heldBack });
    show(ctx);
  }

  pi.registerFlag("plan-first", { type: "boolean", description: "Begin with a plan" });
  pi.registerShortcut("alt+l", { description: "Plan, or carry it out", handler: toggle });
  pi.registerCommand("plan", {
    description: "Plan, or carry it out",
    handler: async (_args, ctx) => toggle(ctx),
  });

  pi.on("session_start", (_event, ctx) => {
    const last = ctx.sessionManager
      .getBranch()
      .findLast((entry) => entry.type === "custom" && entry.customType === "plan-first");
    if (last?.type === "custom") heldBack = (last.data as { heldBack?: string[] }).heldBack;
    else if (pi.getFlag("plan-first")) toggle(ctx);
    if (heldBack) pi.setActiveTools(LOOKING);
    show(ctx);
  });

  pi.on("before_agent_start", ({ systemPrompt }) => {
    if (!heldBack) return undefined;
    return { systemPrompt: `${systemPrompt}\n\nMake a numbered plan. Nothing can be changed before the user agrees.` };
  });
}
