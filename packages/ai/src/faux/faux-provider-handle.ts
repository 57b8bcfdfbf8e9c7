import { createProvider } from "../models/create-provider.js";
import type { Provider } from "../models/types.js";
import { createFauxCore, type FauxCore, type RegisterFauxProviderOptions } from "./faux-provider.js";

/** A faux provider for a collection made by `createModels`. */
export type FauxProviderHandle = Omit<FauxCore, "stream" | "streamSimple" | "provider"> & { provider: Provider };

/**
 * A scripted provider for tests, to be put into a collection. It needs no key.
 *
 * ```ts
 * const faux = fauxProvider();
 * const models = createModels();
 * models.setProvider(faux.provider);
 * faux.setResponses([fauxAssistantMessage("Hello")]);
 * const message = await models.complete(faux.getModel(), { messages: [] });
 * ```
 */
export function fauxProvider(options: RegisterFauxProviderOptions = {}): FauxProviderHandle {
  const { stream, streamSimple, provider: id, ...handle } = createFauxCore(options);
  const provider = createProvider({
    id,
    name: "Faux",
    auth: {
      apiKey: {
        name: "faux",
        resolve: async ({ credential }) => ({
          auth: { ...(credential?.key && { apiKey: credential.key }) },
          source: "faux",
        }),
      },
    },
    models: handle.models,
    api: { stream, streamSimple },
  });
  return { ...handle, provider };
}
