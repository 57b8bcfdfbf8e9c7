import { join } from "node:path";
import type {
  AssistantMessageEventStream,
  Model,
  ProviderHeaders,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { getApiProvider, streamSimple } from "@earendil-works/pi-ai/compat";
import { findProviderInfo, getBuiltinModels, getBuiltinProviders } from "@earendil-works/pi-ai/providers/all";
import { getAgentDir } from "../../config.js";
import { readTextIfExists } from "../storage/files.js";
import { resolveConfigValue } from "./config-value.js";
import { Credentials, KeyError } from "./credentials.js";
import { applyProviderEntry, type ProviderEntry, parseModelsJson, providerProblems } from "./models-json.js";
import type { ModelPool } from "./resolution.js";

export interface ModelRuntimeOptions {
  agentDir?: string | undefined;
  /** Runs a `!command` value; returns trimmed stdout, or undefined when it failed. */
  runCommand: (command: string) => Promise<string | undefined>;
}

/** What a request to a model needs besides the model. */
export interface RequestAuth {
  apiKey: string;
  headers?: ProviderHeaders;
  env?: Record<string, string>;
}

/**
 * The models that can be asked, and how: the catalogue with the user's models.json laid over it, and the keys.
 * A provider's models are read when they are first asked for.
 */
export class ModelRuntime implements ModelPool {
  readonly #credentials: Credentials;
  readonly #runCommand: ModelRuntimeOptions["runCommand"];
  readonly #entries: Map<string, ProviderEntry>;
  readonly #error: string | undefined;
  readonly #models = new Map<string, readonly Model[]>();

  constructor({ agentDir = getAgentDir(), runCommand }: ModelRuntimeOptions) {
    this.#runCommand = runCommand;
    this.#credentials = new Credentials(agentDir, runCommand);
    const { entries, error } = readModelsJson(join(agentDir, "models.json"));
    this.#entries = entries;
    this.#error = error;
  }

  /** What is wrong with models.json, if anything. */
  getError(): string | undefined {
    return this.#error;
  }

  get providers(): readonly string[] {
    return [...new Set([...getBuiltinProviders(), ...this.#entries.keys()])];
  }

  models(provider: string): readonly Model[] {
    let models = this.#models.get(provider);
    if (!models) {
      const builtin = getBuiltinModels(provider);
      const entry = this.#entries.get(provider);
      models = entry ? applyProviderEntry(provider, entry, builtin) : builtin;
      this.#models.set(provider, models);
    }
    return models;
  }

  find(provider: string, id: string): Model | undefined {
    return this.models(provider).find((model) => model.id === id);
  }

  usable(provider: string): boolean {
    return this.#credentials.isConfigured(provider, this.#entries.get(provider)?.apiKey);
  }

  defaultModelId(provider: string): string | undefined {
    return findProviderInfo(provider)?.defaultModel;
  }

  speaks(api: string): boolean {
    return getApiProvider(api) !== undefined;
  }

  setRuntimeApiKey(provider: string, key: string): void {
    this.#credentials.setRuntimeKey(provider, key);
  }

  /**
   * Key and headers for a request.
   * @throws KeyError naming what is missing and what to do
   */
  async getAuth(model: Model): Promise<RequestAuth> {
    const entry = this.#entries.get(model.provider);
    const key = await this.#credentials.resolve(model.provider, entry?.apiKey);
    if (!key) throw new KeyError(missingKeyText(model.provider));
    const headers = await this.#headers(model, entry, key.apiKey);
    return { ...key, ...(headers && { headers }) };
  }

  /** Streams an answer with the model's own key. A missing key ends the stream with an error event. */
  async streamSimple(
    model: Model,
    context: TranscriptContext,
    options: SimpleStreamOptions = {},
  ): Promise<AssistantMessageEventStream> {
    const auth = await this.getAuth(model);
    return streamSimple(model, context, {
      ...options,
      apiKey: options.apiKey ?? auth.apiKey,
      headers: { ...auth.headers, ...options.headers },
      env: { ...auth.env, ...options.env },
    });
  }

  async #headers(model: Model, entry: ProviderEntry | undefined, apiKey: string): Promise<ProviderHeaders | undefined> {
    const configured = {
      ...entry?.headers,
      ...entry?.models?.find((candidate) => candidate.id === model.id)?.headers,
      ...entry?.modelOverrides?.[model.id]?.headers,
    };
    const headers: ProviderHeaders = {};
    for (const [name, value] of Object.entries(configured)) {
      const resolved = await resolveConfigValue(value, process.env, this.#runCommand);
      if ("unresolved" in resolved) {
        throw new KeyError(
          `Failed to resolve provider "${model.provider}" header "${name}" from ${resolved.unresolved}`,
        );
      }
      headers[name] = resolved.value;
    }
    if (entry?.authHeader) headers["Authorization"] = `Bearer ${apiKey}`;
    return Object.keys(headers).length > 0 ? headers : undefined;
  }
}

/** A file with errors configures nothing; the built-in models remain. */
function readModelsJson(path: string): { entries: Map<string, ProviderEntry>; error?: string } {
  const text = readTextIfExists(path);
  if (text === undefined) return { entries: new Map() };
  let entries: Map<string, ProviderEntry>;
  try {
    entries = parseModelsJson(text, path);
  } catch (error) {
    return { entries: new Map(), error: (error as Error).message };
  }
  const problems: string[] = [];
  for (const [id, entry] of entries) {
    const own = providerProblems(id, entry, getBuiltinModels(id));
    if (own.length === 0) continue;
    entries.delete(id);
    problems.push(...own.map((problem) => `Provider "${id}": ${problem}`));
  }
  return { entries, ...(problems.length > 0 && { error: `${problems.join("\n")}\n\nFile: ${path}` }) };
}

function missingKeyText(provider: string): string {
  const variables = findProviderInfo(provider)?.env ?? [];
  const hint = variables.length > 0 ? `Set ${variables.join(" or ")}, or add` : "Add";
  return `No API key found for ${provider}. ${hint} an entry for "${provider}" to ${join(getAgentDir(), "auth.json")}.`;
}
