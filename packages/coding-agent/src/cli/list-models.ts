/** `--list-models`. Source: cli-and-config.md section 1.6. */
import { join } from "node:path";
import type { Model } from "@earendil-works/pi-ai";
import { AuthStorage } from "../core/models/auth-storage.js";
import { listModelsText, noMatchText } from "../core/models/list-models.js";
import { findLocalModels } from "../core/models/local-models.js";
import { ModelRuntime } from "../core/models/model-runtime.js";
import { noModelText } from "../core/models/no-model-text.js";
import { findExtensions } from "./found-extensions.js";
import type { Invocation } from "./invocation.js";

export interface ListModelsResult {
  /** For stdout. */
  text: string;
  /** For stderr. */
  problems: string[];
  /** For stderr: what may have been meant by a search that finds nothing. */
  advice: string | undefined;
}

/** Extensions are loaded for the models they bring along, and no further. `--provider local` asks this machine. */
export async function listModels(invocation: Invocation): Promise<ListModelsResult> {
  const { args, agentDir } = invocation;
  const runtime = new ModelRuntime({ agentDir });
  const extensions = await addExtensions(invocation, runtime);
  const error = runtime.getError();
  const local = await findLocalModels({ runtime, provider: args.provider });
  const credentials = AuthStorage.create(join(agentDir, "auth.json")).getError()?.message;
  const modelsFile = error && `errors loading models.json:\n${error}`;
  const warnings = [modelsFile, credentials, local.error].filter((text) => text !== undefined);
  const models = await runtime.getAvailable();
  const search = args.listModels === true ? undefined : args.listModels;
  const text = listModelsText(models, search, noModelText);
  const advice = search && text === noMatchText(search) ? await searchAdvice(search, models) : undefined;
  return { text, problems: [...extensions, ...warnings.map((warning) => `Warning: ${warning}`)], advice };
}

/** @returns what went wrong with them */
async function addExtensions(invocation: Invocation, runtime: ModelRuntime): Promise<string[]> {
  const { loaded, problems } = await findExtensions(invocation);
  const said = problems.map((problem) => `Error: ${problem}`);
  if (!loaded) return said;
  const { bindProviders } = await import("../core/extensions/provider-binding.js");
  bindProviders(loaded.runtime, runtime, (path, message) =>
    said.push(`Warning: Extension "${path}" error: ${message}`),
  );
  return said;
}

async function searchAdvice(search: string, models: readonly Model[]): Promise<string | undefined> {
  const { didYouMean } = await import("./suggest.js");
  return didYouMean(search, new Set(models.flatMap(({ provider, id }) => [provider, id])));
}
