/**
 * Two minds: a quick model for most, a thorough one that thinks for what begins with "think:". Afterwards it is as
 * before. `/minds` tells which models there are to choose from.
 * Start: `pi -e two-minds.ts --thorough provider/id`
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function twoMinds(pi: ExtensionAPI) {
  pi.registerFlag("thorough", { type: "string", description: "Model for what begins with think:, as provider/id" });
  let back: (() => Promise<void>) | undefined;

  pi.on("input", async ({ text }, ctx) => {
    if (!text.startsWith("think:") || back) return undefined;
    const [provider = "", id = ""] = String(pi.getFlag("thorough")).split("/");
    const thorough = ctx.modelRegistry.find(provider, id);
    const [quick, level] = [ctx.model, pi.getThinkingLevel()];
    if (!thorough || !(await pi.setModel(thorough))) {
      ctx.ui.notify(`No thorough model: ${pi.getFlag("thorough")}`, "warning");
      return undefined;
    }
    pi.setThinkingLevel("high");
    back = async () => {
      if (quick) await pi.setModel(quick);
      pi.setThinkingLevel(level);
    };
    return { action: "transform", text: text.slice("think:".length).trim() };
  });
  pi.on("agent_settled", async () => {
    const restore = back;
    back = undefined;
    await restore?.();
  });
  pi.on("model_select", ({ model, previousModel, source }, ctx) =>
    ctx.ui.setStatus("minds", `${previousModel?.id ?? "none"} → ${model.id} (${source})`),
  );
  pi.on("thinking_level_select", ({ level }, ctx) => ctx.ui.setStatus("depth", `thinks ${level}`));

  pi.registerCommand("minds", {
    description: "Models to choose from",
    handler: async (_args, ctx) => {
      const models =
        ctx.scopedModels.length > 0 ? ctx.scopedModels.map(({ model }) => model) : ctx.modelRegistry.getAvailable();
      ctx.ui.notify(models.map(({ provider, id }) => `${provider}/${id}`).join(", "));
    },
  });
}
