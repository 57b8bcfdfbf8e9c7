/** Sign-ins that extensions bring, in the form of the layer below. Source: llm.md section 5. */
import type { AuthPrompt, OAuthAuth, OAuthLoginCallbacks, ProviderAuthInteraction } from "@earendil-works/pi-ai";
import type { ProviderOAuthConfig } from "./provider-config.js";

export function oauthFromConfig(config: ProviderOAuthConfig): OAuthAuth {
  return {
    name: config.name,
    ...(config.isSubscription !== undefined && { isSubscription: config.isSubscription }),
    login: async (interaction) => ({ ...(await config.login(callbacksOf(interaction))), type: "oauth" }),
    refresh: async (credential, signal) => ({ ...(await config.refreshToken(credential, signal)), type: "oauth" }),
    toAuth: async (credential) => ({ apiKey: config.getApiKey(credential) }),
  };
}

function callbacksOf({ prompt, notify, signal }: ProviderAuthInteraction): OAuthLoginCallbacks {
  return {
    signal,
    onAuth: (info) => notify({ type: "auth_url", ...info }),
    onDeviceCode: (info) => notify({ type: "device_code", ...info }),
    onProgress: (message) => notify({ type: "progress", message }),
    onPrompt: ({ message, placeholder }) => prompt(textPrompt(message, signal, placeholder)),
    onManualCodeInput: () => prompt({ type: "manual_code", message: "Paste the code:", signal }),
    onSelect: ({ message, options }) => prompt({ type: "select", message, options, signal }),
  };
}

function textPrompt(message: string, signal: AbortSignal, placeholder: string | undefined): AuthPrompt {
  return { type: "text", message, signal, ...(placeholder !== undefined && { placeholder }) };
}
