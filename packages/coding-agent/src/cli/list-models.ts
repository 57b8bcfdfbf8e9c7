/** `--list-models`. Source: cli-and-config.md section 1.6. */
import { join } from "node:path";
import type { Model } from "@earendil-works/pi-ai";
import { AuthStorage } from "../core/models/auth-storage.js";
import { listModelsText, noMatchText } from "../core/models/list-models.js";
import { findLocalModels } from "../core/models/local-models.js";
import { ModelRuntime } from "../core/models/model-runtime.js";
import { noModelText } from "../core/models/no-model-text.js";

export interface ListModelsResult {
  /** For stdout. */
  text: string;
  /** For stderr. */
  warnings: string[];
  /** For stderr: what may have been meant by a search that finds nothing. */
  advice: string | undefined;
}

export async function listModels(options: {
  agentDir: string;
  search: string | undefined;
  /** `--provider`: `local` asks for the models of this machine. */
  provider: string | undefined;
}): Promise<ListModelsResult> {
  const runtime = new ModelRuntime({ agentDir: options.agentDir });
  const error = runtime.getError();
  const local = await findLocalModels({ runtime, provider: options.provider });
  const credentials = AuthStorage.create(join(options.agentDir, "auth.json")).getError()?.message;
  const modelsFile = error && `errors loading models.json:\n${error}`;
  const warnings = [modelsFile, credentials, local.error].filter((text) => text !== undefined);
  const models = await runtime.getAvailable();
  const { search } = options;
  const text = listModelsText(models, search, noModelText);
  const advice = search && text === noMatchText(search) ? await searchAdvice(search, models) : undefined;
  return { text, warnings, advice };
}

async function searchAdvice(search: string, models: readonly Model[]): Promise<string | undefined> {
  const { didYouMean } = await import("./suggest.js");
  return didYouMean(search, new Set(models.flatMap(({ provider, id }) => [provider, id])));
}
