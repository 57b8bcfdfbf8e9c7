import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ProviderEnv } from "../types.js";
import type { AuthContext } from "./types.js";

/** The process environment and the disk; a leading `~` of a path is the home directory. */
export function defaultProviderAuthContext(): AuthContext {
  return {
    env: async (name) => process.env[name] || undefined,
    fileExists: async (path) => existsSync(/^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path),
  };
}

/** A context in which `env` wins. */
export function withEnv(context: AuthContext, env: ProviderEnv | undefined): AuthContext {
  if (!env) return context;
  return { ...context, env: async (name) => env[name] || (await context.env(name)) };
}
