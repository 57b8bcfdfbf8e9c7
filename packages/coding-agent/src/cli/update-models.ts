/** `pi update --models`: the one place that asks for new models. Source: cli-and-config.md sections 1.8 and 9. */
import { ModelRuntime } from "../core/models/model-runtime.js";

export interface UpdateModelsResult {
  /** For stdout. */
  text?: string;
  problems: string[];
}

export async function updateModels(agentDir: string): Promise<UpdateModelsResult> {
  if (process.env["PI_OFFLINE"]) return { text: "Skipped model catalogs (offline mode)", problems: [] };
  const runtime = new ModelRuntime({ agentDir });
  const { errors } = await runtime.refresh({ force: true });
  // Providers that share a source fail alike.
  const problems = new Set([...errors.values()].map(({ message }) => message));
  return { problems: [...problems], ...(problems.size === 0 && { text: "Model catalogs refreshed" }) };
}
