/** Subpath `./providers/local`: model servers on this machine. Source: llm.md section 12 (Local servers). */
import { requestJson, shownUrl } from "../http-json.js";
import { isObject } from "../json/objects.js";
import type { Provider } from "../models/types.js";
import type { Model, OpenAICompletionsCompat, ProviderEnv } from "../types.js";
import { registeredStreams } from "./builtin-providers.js";

export const LOCAL_PROVIDER = "local";

export type LocalServerKind = "ollama" | "lmstudio" | "llama" | "vllm";

export interface LocalServer {
  kind: LocalServerKind;
  /** What people call it. */
  name: string;
  /** Without `/v1`. */
  url: string;
}

/** The usual addresses, in the order in which their models are listed. */
export const defaultLocalServers: readonly LocalServer[] = [
  { kind: "ollama", name: "Ollama", url: "http://127.0.0.1:11434" },
  { kind: "lmstudio", name: "LM Studio", url: "http://127.0.0.1:1234" },
  { kind: "llama", name: "llama-server", url: "http://127.0.0.1:8080" },
  { kind: "llama", name: "llama-server", url: "http://127.0.0.1:9931" },
  { kind: "vllm", name: "vLLM", url: "http://127.0.0.1:8000" },
];

export interface LocalDiscovery {
  models: Model[];
  /** Servers that have models, with how many of them are taken. */
  found: { server: LocalServer; count: number }[];
  /** Servers that answered but have no models. */
  empty: LocalServer[];
}

/** A server that is there answers at once; one that hangs must not hold up the start. In ms. */
const LIST_TIMEOUT_MS = 2000;
const DETAILS_TIMEOUT_MS = 3000;

/** Requests to this machine never go through a proxy. */
const DIRECT: ProviderEnv = { NO_PROXY: "*", no_proxy: "*" };

/** What a server may say about a model; the rest has the defaults of models.json. */
interface LocalModel {
  id: string;
  contextWindow?: number | undefined;
  vision?: boolean | undefined;
  thinking?: boolean | undefined;
}

/** Asks all servers at once. Never rejects: whoever does not answer in time is not there. */
export async function discoverLocalModels(
  servers: readonly LocalServer[] = localServersFromEnvironment(),
  signal?: AbortSignal,
): Promise<LocalDiscovery> {
  const answers = await Promise.all(
    servers.map(async (server) => ({ server, models: await listModels(server, signal).catch(() => undefined) })),
  );
  const models = new Map<string, Model>();
  const found: LocalDiscovery["found"] = [];
  const empty: LocalServer[] = [];
  for (const { server, models: listed } of answers) {
    const own = listed?.filter(({ id }) => isName(id));
    if (own?.length === 0) empty.push(server);
    if (!own) continue;
    // The id is what the server is asked for, so of two servers with the same one the first is taken.
    const added = own.filter(({ id }) => !models.has(id));
    for (const model of added) models.set(model.id, toModel(server, model));
    if (added.length > 0) found.push({ server, count: added.length });
  }
  return { models: [...models.values()], found, empty };
}

/** Names are shown and typed: what has none, or holds what a terminal would obey, is not offered. */
function isName(id: string): boolean {
  return id.trim() !== "" && !/\p{Cc}/u.test(id);
}

/**
 * `PI_LOCAL_SERVERS`, a list of addresses with an optional kind, takes the place of the usual addresses:
 * `ollama=http://127.0.0.1:11500,http://127.0.0.1:5000`. Empty = none.
 * @throws Error that names what is no address
 */
export function localServersFromEnvironment(env: NodeJS.ProcessEnv = process.env): readonly LocalServer[] {
  const value = env["PI_LOCAL_SERVERS"];
  if (value === undefined) return defaultLocalServers;
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const match = /^(ollama|lmstudio|llama|vllm)=(.+)$/.exec(part);
      const kind = (match?.[1] ?? "vllm") as LocalServerKind;
      const usual = match ? defaultLocalServers.find((server) => server.kind === kind)?.name : undefined;
      const url = (match?.[2] ?? part).replace(/\/+(v1\/*)?$/, "");
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new Error(
          `PI_LOCAL_SERVERS holds what is no address: "${shownUrl(part)}". ` +
            "It is a list like this: ollama=http://127.0.0.1:11434,http://127.0.0.1:8000",
        );
      }
      return { kind, name: usual ?? url, url };
    });
}

/** The provider of what was found. It needs no key. */
export function createLocalProvider(models: readonly Model[]): Provider {
  return {
    id: LOCAL_PROVIDER,
    name: "Models on this machine",
    auth: {
      apiKey: {
        name: "none",
        check: async () => ({ type: "api_key", source: "no key needed" }),
        // Clients of this wire format have to send something; the servers do not look at it.
        resolve: async ({ credential }) => ({
          auth: { apiKey: credential?.key ?? "local" },
          env: { ...DIRECT, ...credential?.env },
          source: "no key needed",
        }),
      },
    },
    getModels: () => models,
    ...registeredStreams(LOCAL_PROVIDER),
  };
}

function toModel(server: LocalServer, { id, contextWindow, vision, thinking }: LocalModel): Model {
  const compat: OpenAICompletionsCompat = { supportsStore: false, maxTokensField: "max_tokens" };
  return {
    id,
    name: id,
    api: "openai-completions",
    provider: LOCAL_PROVIDER,
    baseUrl: `${server.url}/v1`,
    type: "chat",
    reasoning: thinking ?? false,
    input: vision ? ["text", "image"] : ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: contextWindow ?? 128_000,
    maxTokens: Math.min(16_384, contextWindow ?? 16_384),
    compat,
  };
}

function listModels(server: LocalServer, signal: AbortSignal | undefined): Promise<LocalModel[]> {
  const ask = async (path: string, timeoutMs: number, json?: unknown): Promise<unknown> => {
    const response = await requestJson({ url: server.url + path, timeoutMs, json, env: DIRECT, signal });
    if (response.status >= 400) throw new Error(`${response.status}`);
    return response.body;
  };
  switch (server.kind) {
    case "ollama":
      return listOllama(ask);
    case "lmstudio":
      return listLmStudio(ask);
    case "llama":
      return listLlama(ask);
    case "vllm":
      return listOpenAI(ask);
  }
}

type Ask = (path: string, timeoutMs: number, json?: unknown) => Promise<unknown>;

async function listOllama(ask: Ask): Promise<LocalModel[]> {
  const names = listed(await ask("/api/tags", LIST_TIMEOUT_MS), "models").flatMap((model) =>
    typeof model["name"] === "string" ? [model["name"]] : [],
  );
  // The size in force is that of a loaded model, which may be smaller than what the model can.
  const running = await ask("/api/ps", LIST_TIMEOUT_MS).catch(() => undefined);
  const inForce = new Map(records(member(running, "models")).map((model) => [model["name"], model["context_length"]]));
  const models = await Promise.all(
    names.map(async (id): Promise<LocalModel | undefined> => {
      const shown = await ask("/api/show", DETAILS_TIMEOUT_MS, { model: id }).catch(() => undefined);
      const abilities = member(shown, "capabilities");
      const can = (name: string) => Array.isArray(abilities) && abilities.includes(name);
      if (can("embedding") && !can("completion")) return undefined;
      const info = member(shown, "model_info");
      const length = isObject(info) ? Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1] : 0;
      return {
        id,
        contextWindow: size(inForce.get(id)) ?? size(length),
        vision: can("vision"),
        thinking: can("thinking"),
      };
    }),
  );
  return models.filter((model) => model !== undefined);
}

async function listLmStudio(ask: Ask): Promise<LocalModel[]> {
  let all: Record<string, unknown>[];
  try {
    all = listed(await ask("/api/v0/models", LIST_TIMEOUT_MS), "data");
  } catch {
    return listOpenAI(ask);
  }
  const models = all.filter(({ type }) => type === "llm" || type === "vlm");
  return models.flatMap((model) => {
    const { id, type } = model;
    if (typeof id !== "string") return [];
    const contextWindow = size(model["loaded_context_length"]) ?? size(model["max_context_length"]);
    return [{ id, contextWindow, vision: type === "vlm" }];
  });
}

async function listLlama(ask: Ask): Promise<LocalModel[]> {
  // A router lists what it could load under another path.
  const models = await listOpenAI(ask).catch(() => listOpenAI(ask, "/models"));
  const props = await ask("/props", DETAILS_TIMEOUT_MS).catch(() => undefined);
  const contextWindow = size(member(member(props, "default_generation_settings"), "n_ctx"));
  const vision = member(member(props, "modalities"), "vision") === true;
  return models.map((model) => ({ ...model, contextWindow: contextWindow ?? model.contextWindow, vision }));
}

async function listOpenAI(ask: Ask, path = "/v1/models"): Promise<LocalModel[]> {
  return listed(await ask(path, LIST_TIMEOUT_MS), "data").flatMap((model) => {
    const { id } = model;
    if (typeof id !== "string") return [];
    const contextWindow = size(model["max_model_len"]) ?? size(member(model["meta"], "n_ctx_train"));
    return [{ id, contextWindow }];
  });
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** @throws Error when the answer holds no list: something else than a model server has that address */
function listed(answer: unknown, key: string): Record<string, unknown>[] {
  const list = member(answer, key);
  if (!isObject(answer) || !(key in answer) || !(list === null || Array.isArray(list))) throw new Error("no list");
  return records(list);
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function size(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
