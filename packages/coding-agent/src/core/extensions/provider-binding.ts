/** Providers of extensions on their way to the models. Source: extensions.md sections 3 and 4.5. */
import type { ModelRuntime } from "../models/model-runtime.js";
import { textOf } from "./running/dispatch.js";
import type { ExtensionProviderActions, ExtensionRuntime } from "./types/host.js";

/**
 * From now on registrations reach the models at once; those that waited do so now, in their order.
 * @param onError told of registrations that fail
 */
export function bindProviders(
  runtime: ExtensionRuntime,
  models: ModelRuntime,
  onError: (extensionPath: string, message: string) => void,
): void {
  const names = new Set<string>();
  const providers: ExtensionProviderActions = {
    registerProvider(name, config) {
      models.registerProvider(name, config);
      names.add(name);
      runtime.onProviderChange?.(name);
    },
    registerNativeProvider(provider) {
      models.registerNativeProvider(provider);
      names.add(provider.id);
      runtime.onProviderChange?.(provider.id);
    },
    unregisterProvider(name) {
      models.unregisterProvider(name);
      names.delete(name);
      runtime.onProviderChange?.(name);
    },
  };
  runtime.providers = providers;
  // With the extensions go their providers.
  runtime.atEnd.push(() => {
    for (const name of names) models.unregisterProvider(name);
  });
  const queued = runtime.queuedProviders ?? [];
  runtime.queuedProviders = undefined;
  for (const { extensionPath, apply } of queued) {
    try {
      apply(providers);
    } catch (error) {
      onError(extensionPath, textOf(error));
    }
  }
}
