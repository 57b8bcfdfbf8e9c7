import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import type { Desk } from "../desk.js";
import { selectModel } from "../selectors/model-selector.js";
import { selectScopedModels } from "../selectors/scoped-models.js";
import { selectThinkingLevel, THINKING_DESCRIPTIONS } from "../selectors/thinking-selector.js";
import type { BuiltinCommand } from "./types.js";

export const modelCommands: readonly BuiltinCommand[] = [
  {
    name: "model",
    description: "Choose the model",
    argumentHint: "[search]",
    complete: (prefix, { session }) =>
      session.modelRuntime
        .getAvailableSnapshot()
        .filter(({ provider, id }) => `${provider}/${id}`.includes(prefix))
        .map(({ provider, id, name }) => ({
          value: `${provider}/${id}`,
          label: id,
          description: `${name} [${provider}]`,
        })),
    async run(args, desk) {
      const models = await desk.session.modelRuntime.getAvailable();
      if (models.length === 0) {
        desk.warning("No model can be used yet. /login signs in or stores a key.");
        return;
      }
      const exact = exactModel(models, args);
      const chosen = exact
        ? { model: exact, persist: false }
        : await selectModel(desk, models, args === "" ? undefined : args);
      if (chosen) await useModel(desk, chosen.model, chosen.persist);
    },
  },
  {
    name: "scoped-models",
    description: "Choose the models to cycle through",
    async run(_args, desk) {
      await selectScopedModels(desk, await desk.session.modelRuntime.getAvailable());
    },
  },
  {
    name: "thinking",
    description: "Choose how much the model thinks",
    argumentHint: "[level]",
    complete: (prefix, { session }) =>
      session
        .getAvailableThinkingLevels()
        .filter((level) => level.startsWith(prefix))
        .map((level) => ({ value: level, label: level, description: THINKING_DESCRIPTIONS[level] })),
    async run(args, desk) {
      const { session } = desk;
      if (!session.supportsThinking()) {
        desk.status("Current model does not support thinking");
        return;
      }
      const levels = session.getAvailableThinkingLevels();
      if (args !== "" && !(levels as string[]).includes(args)) {
        desk.warning(`No thinking level is called "${args}". The model has: ${levels.join(", ")}`);
        return;
      }
      const chosen = args === "" ? await selectThinkingLevel(desk) : { level: args as ThinkingLevel, persist: false };
      if (!chosen) return;
      session.setThinkingLevel(chosen.level, { persist: chosen.persist });
      desk.status(`Thinking level: ${session.thinkingLevel}${chosen.persist ? " (default)" : ""}`);
      desk.changed();
    },
  },
];

/** The model a text names: with its provider, or by an id that only one of them has. */
function exactModel(models: readonly Model[], text: string): Model | undefined {
  const whole = models.find(({ provider, id }) => `${provider}/${id}` === text);
  if (whole) return whole;
  const byId = models.filter(({ id }) => id === text);
  return byId.length === 1 ? byId[0] : undefined;
}

export async function useModel(desk: Desk, model: Model, persist: boolean): Promise<void> {
  await desk.session.setModel(model, { persist });
  desk.status(`Model: ${model.id}${persist ? " (default)" : ""}`);
  desk.changed();
}
