import { builtinApiIds, findBuiltinApi } from "./builtin-apis.js";
import type { StreamFunction } from "./provider-streams.js";
import type { Api, Model, SimpleStreamOptions, StreamOptions } from "./types.js";

/**
 * The one registry of API implementations in the process: global, because `registerApiProvider` of the compatibility
 * entry is. Built-in APIs lie under the registered ones and come back when those go.
 */

/** The implementation of one API. */
export interface ApiProvider<A extends Api = Api, O extends StreamOptions = StreamOptions> {
  api: A;
  stream: StreamFunction<A, O>;
  streamSimple: StreamFunction<A, SimpleStreamOptions>;
}

/** The functions of a registered API, for any model: they refuse models of another API. */
export type ApiStreamFunction = StreamFunction<Api, StreamOptions>;
export type ApiStreamSimpleFunction = StreamFunction<Api, SimpleStreamOptions>;
export interface RegisteredApiProvider {
  api: Api;
  stream: ApiStreamFunction;
  streamSimple: ApiStreamSimpleFunction;
}

const registered = new Map<Api, { provider: RegisteredApiProvider; sourceId: string | undefined }>();
const builtins = new Map<Api, RegisteredApiProvider>();

/**
 * Makes `provider` the implementation of its API, in place of an earlier one. Its functions throw
 * `Mismatched api: A expected B` for models of another API.
 * @param sourceId lets `unregisterApiProviders` find everything of one source
 */
export function registerApiProvider<A extends Api, O extends StreamOptions>(
  provider: ApiProvider<A, O>,
  sourceId?: string,
): void {
  registered.set(provider.api, { provider: guarded(provider), sourceId });
}

/** Removes what was registered under a source id. */
export function unregisterApiProviders(sourceId: string): void {
  for (const [api, entry] of registered) if (entry.sourceId === sourceId) registered.delete(api);
}

/** The implementation of an API: the registered one, else the built-in one. */
export function getApiProvider(api: Api): RegisteredApiProvider | undefined {
  return registered.get(api)?.provider ?? builtinProvider(api);
}

/** All implementations in force. */
export function getApiProviders(): RegisteredApiProvider[] {
  const ids = new Set([...builtinApiIds(), ...registered.keys()]);
  return [...ids].map(getApiProvider).filter((provider) => provider !== undefined);
}

/** Kept for its callers: built-in APIs are always there, and registered ones stay in force. */
export function registerBuiltInApiProviders(): void {}

/** Forgets everything that was registered. */
export function resetApiProviders(): void {
  registered.clear();
}

function builtinProvider(api: Api): RegisteredApiProvider | undefined {
  const known = builtins.get(api);
  if (known) return known;
  const streams = findBuiltinApi(api);
  if (!streams) return undefined;
  const provider = guarded({ api, stream: streams.stream, streamSimple: streams.streamSimple });
  builtins.set(api, provider);
  return provider;
}

function guarded<A extends Api, O extends StreamOptions>(provider: ApiProvider<A, O>): RegisteredApiProvider {
  const checked = (model: Model): Model<A> => {
    if (model.api !== provider.api) throw new Error(`Mismatched api: ${model.api} expected ${provider.api}`);
    return model as Model<A>;
  };
  return {
    api: provider.api,
    // The options of an API are known to its callers only.
    stream: (model, context, options) => provider.stream(checked(model), context, options as O | undefined),
    streamSimple: (model, context, options) => provider.streamSimple(checked(model), context, options),
  };
}
