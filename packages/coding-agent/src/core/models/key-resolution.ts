/** Keys and headers from configured values. Source: llm.md section 11.5. */
import type { ProviderEnv, ProviderHeaders } from "@earendil-works/pi-ai";
import { parseConfigValue, type ResolvedConfigValue, referencedVariables, resolveConfigValue } from "./config-value.js";

/** Why there is no key, in words for the user. Never holds a secret. */
export class KeyError extends Error {
  override name = "KeyError";
  readonly code = "auth";
}

/** Runs a `!command`; returns its trimmed output, or undefined when it failed. */
export type RunCommand = (command: string) => Promise<string | undefined>;

/** Commands of auth.json run once per process, failures included; those of models.json for every request. */
export function oncePerProcess(run: RunCommand): RunCommand {
  const results = new Map<string, Promise<string | undefined>>();
  return (command) => {
    let result = results.get(command);
    if (!result) {
      result = run(command);
      results.set(command, result);
    }
    return result;
  };
}

/**
 * The key behind a configured value.
 * @param env wins over the process environment
 * @throws KeyError `Failed to resolve API key for provider "X" from …`
 */
export async function resolveKey(provider: string, value: string, run: RunCommand, env?: ProviderEnv): Promise<string> {
  const resolved = await resolveConfigValue(value, { ...process.env, ...env }, run);
  if ("value" in resolved && resolved.value !== "") return resolved.value;
  throw new KeyError(`Failed to resolve API key for provider "${provider}" from ${sourceOf(resolved)}`);
}

/** @param owner `provider "p"` or `model "p/id"` */
export async function resolveHeaders(
  owner: string,
  headers: Readonly<Record<string, string>> | undefined,
  run: RunCommand,
  env?: ProviderEnv,
): Promise<ProviderHeaders> {
  const resolved: ProviderHeaders = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const found = await resolveConfigValue(value, { ...process.env, ...env }, run);
    if ("unresolved" in found) {
      throw new KeyError(`Failed to resolve ${owner} header "${name}" from ${found.unresolved}`);
    }
    resolved[name] = found.value;
  }
  return resolved;
}

/** Whether a value can be expected to resolve, without running a command. */
export function isExpected(value: string | undefined, env?: ProviderEnv): boolean {
  if (value === undefined || value === "") return false;
  return referencedVariables(value).every((name) => env?.[name] || process.env[name]);
}

/** True for `!command` values. */
export function isCommand(value: string): boolean {
  return parseConfigValue(value).kind === "command";
}

function sourceOf(resolved: ResolvedConfigValue): string {
  return "unresolved" in resolved ? resolved.unresolved : "an empty value";
}
