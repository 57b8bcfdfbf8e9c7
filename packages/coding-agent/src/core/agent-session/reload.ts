import { bindProviders } from "../extensions/provider-binding.js";
import type { ExtensionError } from "../extensions/types/host.js";
import type { SessionDuties } from "./assembly.js";

export interface ReloadOptions {
  /** Runs when extensions have heard of the end, before they become useless: takes from the screen what they put there. */
  beforeInvalidate?: (() => void) | undefined;
  /** Runs when everything is loaded, before extensions hear of it. */
  beforeSessionStart?: (() => void | Promise<void>) | undefined;
}

/** Source: extensions.md section 3 ("Reload order"). */
export async function reloadExtensions(
  { host, core, models, useExtensions }: SessionDuties,
  { beforeInvalidate, beforeSessionStart }: ReloadOptions,
): Promise<void> {
  await host.end({ type: "session_shutdown", reason: "reload" });
  beforeInvalidate?.();
  core.extensions.invalidate();
  const { resourceLoader, modelRuntime } = core.services;
  await resourceLoader.reload({
    onSlowExtension: (extensionPath, error) => core.extensions.report({ extensionPath, event: "load", error }),
  });
  const loaded = resourceLoader.getExtensions();
  const failures: ExtensionError[] = [];
  // Before the session takes the extensions over: from then on nothing waits any more.
  bindProviders(loaded.runtime, modelRuntime, (extensionPath, error) => {
    failures.push({ extensionPath, event: "register_provider", error });
  });
  useExtensions(loaded);
  models.refresh();
  for (const failure of failures) core.extensions.report(failure);
  await beforeSessionStart?.();
  host.bind({});
  await host.start({ type: "session_start", reason: "reload" });
}
