import type { SettingsManager } from "../settings/settings-manager.js";

/** What the settings say about one request to a provider. */
export function providerOptions(settingsManager: SettingsManager) {
  const { provider } = settingsManager.getRetrySettings();
  const idleTimeoutMs = settingsManager.getHttpIdleTimeoutMs();
  return {
    timeoutMs: provider.timeoutMs ?? idleTimeoutMs,
    idleTimeoutMs,
    maxRetries: provider.maxRetries,
    maxRetryDelayMs: provider.maxRetryDelayMs,
    websocketConnectTimeoutMs: settingsManager.getWebSocketConnectTimeoutMs(),
  };
}
