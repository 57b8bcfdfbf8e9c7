import { registerApiProvider, unregisterApiProviders } from "../api-registry.js";
import { createFauxCore, type FauxCore, type RegisterFauxProviderOptions } from "./faux-provider.js";

/** A faux provider whose API is in the global registry until `unregister`. */
export type FauxProviderRegistration = Omit<FauxCore, "stream" | "streamSimple" | "provider"> & {
  unregister(): void;
};

/**
 * Makes a scripted provider and registers its API, so that the global `stream` functions reach it. It needs no key.
 *
 * ```ts
 * const faux = registerFauxProvider();
 * faux.setResponses([fauxAssistantMessage("Hello")]);
 * const message = await complete(faux.getModel(), { messages: [] });
 * faux.unregister();
 * ```
 */
export function registerFauxProvider(options: RegisterFauxProviderOptions = {}): FauxProviderRegistration {
  const { stream, streamSimple, provider: _, ...handle } = createFauxCore(options);
  const sourceId = `faux-provider:${handle.api}`;
  registerApiProvider({ api: handle.api, stream, streamSimple }, sourceId);
  return { ...handle, unregister: () => unregisterApiProviders(sourceId) };
}
