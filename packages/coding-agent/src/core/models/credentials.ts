/** Keys of providers: what the user stored, and what the environment offers. Source: llm.md section 11. */
import { join } from "node:path";
import { getEnvApiKey } from "@earendil-works/pi-ai/compat";
import { readTextIfExists } from "../storage/files.js";
import { type ResolvedConfigValue, referencedVariables, resolveConfigValue } from "./config-value.js";

/** One entry of `auth.json`. */
export type StoredCredential =
  | { type: "api_key"; key?: string; env?: Record<string, string> }
  | { type: "oauth"; access: string; refresh: string; expires: number; [key: string]: unknown };

export interface ResolvedKey {
  apiKey: string;
  env?: Record<string, string>;
}

/** Why there is no key, in words for the user. */
export class KeyError extends Error {
  readonly code = "auth";
}

type RunCommand = (command: string) => Promise<string | undefined>;

/**
 * Finds the key of a provider. In order: given at run time, stored, from models.json, from the environment. A stored
 * entry owns its provider: when it fails there is no falling back.
 */
export class Credentials {
  readonly #agentDir: string;
  readonly #runCommand: RunCommand;
  readonly #runtimeKeys = new Map<string, string>();
  /** Commands of auth.json run once per process. */
  readonly #storedCommands = new Map<string, Promise<string | undefined>>();
  #stored: Map<string, StoredCredential> | undefined;

  constructor(agentDir: string, runCommand: RunCommand) {
    this.#agentDir = agentDir;
    this.#runCommand = runCommand;
  }

  /** A key for this process only; never written. */
  setRuntimeKey(provider: string, key: string): void {
    this.#runtimeKeys.set(provider, key);
  }

  /** Whether a key can be expected, without running commands. */
  isConfigured(provider: string, configuredKey: string | undefined): boolean {
    if (this.#runtimeKeys.has(provider)) return true;
    const stored = this.#storedCredentials().get(provider);
    if (stored) return stored.type === "oauth" || isSet(stored.key, { ...process.env, ...stored.env });
    if (configuredKey !== undefined) return isSet(configuredKey, process.env);
    return getEnvApiKey(provider) !== undefined;
  }

  /**
   * @param configuredKey the `apiKey` of models.json
   * @returns undefined when nothing is configured
   * @throws KeyError when something is configured but cannot be resolved
   */
  async resolve(provider: string, configuredKey: string | undefined): Promise<ResolvedKey | undefined> {
    const runtimeKey = this.#runtimeKeys.get(provider);
    if (runtimeKey !== undefined) return { apiKey: runtimeKey };
    const stored = this.#storedCredentials().get(provider);
    if (stored) return this.#resolveStored(provider, stored);
    if (configuredKey !== undefined) {
      const resolved = await resolveConfigValue(configuredKey, process.env, this.#runCommand);
      return { apiKey: valueOrThrow(provider, resolved) };
    }
    const fromEnvironment = getEnvApiKey(provider);
    return fromEnvironment === undefined ? undefined : { apiKey: fromEnvironment };
  }

  async #resolveStored(provider: string, stored: StoredCredential): Promise<ResolvedKey | undefined> {
    if (stored.type === "oauth") {
      if (stored.expires > Date.now()) return { apiKey: stored.access };
      throw new KeyError(`OAuth refresh failed for ${provider}`);
    }
    const env = { ...process.env, ...stored.env };
    const once = (command: string) => {
      let result = this.#storedCommands.get(command);
      if (!result) {
        result = this.#runCommand(command);
        this.#storedCommands.set(command, result);
      }
      return result;
    };
    const resolved = await resolveConfigValue(stored.key ?? "", env, once);
    return { apiKey: valueOrThrow(provider, resolved), ...(stored.env && { env: stored.env }) };
  }

  #storedCredentials(): Map<string, StoredCredential> {
    this.#stored ??= readAuthFile(join(this.#agentDir, "auth.json"));
    return this.#stored;
  }
}

/** @throws KeyError for a file that is not valid JSON */
function readAuthFile(path: string): Map<string, StoredCredential> {
  const text = readTextIfExists(path);
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, StoredCredential>));
  } catch {
    // The text is not quoted: it holds secrets.
    throw new KeyError(`Invalid credentials file ${path}: it is not valid JSON. Correct or remove it.`);
  }
}

function isSet(value: string | undefined, env: Readonly<Record<string, string | undefined>>): boolean {
  return value !== undefined && value !== "" && referencedVariables(value).every((name) => env[name]);
}

function valueOrThrow(provider: string, resolved: ResolvedConfigValue): string {
  if ("value" in resolved && resolved.value !== "") return resolved.value;
  const source = "unresolved" in resolved ? resolved.unresolved : "an empty value";
  throw new KeyError(`Failed to resolve API key for provider "${provider}" from ${source}`);
}
