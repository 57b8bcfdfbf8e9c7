import { bindProviders } from "../extensions/provider-binding.js";
import type { SessionDuties } from "./assembly.js";

export interface ReloadOptions {
  /** Runs when extensions have heard of the end, before they become useless: takes from the screen what they put there. */
  beforeInvalidate?: (() => void) | undefined;
  /** Runs when everything is loaded, before extensions hear of it. */
  beforeSessionStart?: (() => void | Promise<void>) | undefined;
}

/** Source: extensions.md section 3 ("Reload order"). */
export async function reloadExtensions(
  { host, core, useExtensions }: SessionDuties,
  { beforeInvalidate, beforeSessionStart }: ReloadOptions,
): Promise<void> {
  await host.end({ type: "session_shutdown", reason: "reload" });
  beforeInvalidate?.();
  core.extensions.invalidate();
  const { resourceLoader, modelRuntime } = core.services;
  await resourceLoader.reload();
  const loaded = resourceLoader.getExtensions();
  useExtensions(loaded);
  bindProviders(loaded.runtime, modelRuntime, (extensionPath, error) =>
    core.extensions.report({ extensionPath, event: "register_provider", error }),
  );
  await beforeSessionStart?.();
  host.bind({});
  await host.start({ type: "session_start", reason: "reload" });
}
