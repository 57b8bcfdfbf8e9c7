/** Whether a provider can be used, and why; answered at once. Source: llm.md section 11.1, exports.md section 4.5. */
import type { Credential } from "@earendil-works/pi-ai";
import { isCommand, isExpected } from "./key-resolution.js";

export interface AuthStatus {
  configured: boolean;
  source?: "stored" | "runtime" | "environment" | "fallback" | "models_json_key" | "models_json_command";
  /** For people: a variable's name, what a key is called. Never a secret. */
  label?: string;
}

export interface AuthSources {
  runtimeKey: boolean;
  stored: Credential | undefined;
  hasOAuth: () => boolean;
  extensionKey: string | undefined;
  modelsJsonKey: string | undefined;
  environmentKey: () => boolean;
  environmentNames: readonly string[];
  /** A provider that brings ways in of its own, which only asking can tell. */
  isNative: boolean;
}

/** The first source there is decides, also when it cannot be used: a stored entry owns its provider. */
export function authStatus(sources: AuthSources): AuthStatus {
  const { stored, extensionKey, modelsJsonKey } = sources;
  if (sources.runtimeKey) return { configured: true, source: "runtime", label: "--api-key" };
  if (stored?.type === "oauth") return { configured: sources.hasOAuth(), source: "stored", label: "OAuth" };
  if (stored?.key !== undefined) return { configured: isExpected(stored.key, stored.env), source: "stored" };
  if (stored) return { configured: stored.env !== undefined, source: "stored" };
  if (extensionKey !== undefined)
    return { configured: isExpected(extensionKey), source: "fallback", label: "extension" };
  if (modelsJsonKey !== undefined) {
    const source = isCommand(modelsJsonKey) ? "models_json_command" : "models_json_key";
    return { configured: isExpected(modelsJsonKey), source };
  }
  if (sources.environmentKey()) {
    const label = sources.environmentNames.find((name) => process.env[name]);
    return { configured: true, source: "environment", ...(label && { label }) };
  }
  return sources.isNative ? { configured: true, source: "fallback" } : { configured: false };
}
