/** Credentials of older releases. Source: llm.md section 11.3, cli-and-config.md section 3 (startup migrations). */
import { join } from "node:path";
import { replaceFile } from "../storage/atomic-file.js";
import { createFileOnce, pathExists, renameFile } from "../storage/files.js";
import { readTextIfExists } from "../storage/read-text.js";

/**
 * Moves `oauth.json` and `apiKeys` of settings.json into auth.json, once: only while there is no auth.json. Best
 * effort: what cannot be read or written stays where it is.
 */
export function migrateCredentials(agentDir: string): void {
  const authPath = join(agentDir, "auth.json");
  if (pathExists(authPath)) return;
  const oauthPath = join(agentDir, "oauth.json");
  const settingsPath = join(agentDir, "settings.json");
  try {
    const oauth = recordOf(readTextIfExists(oauthPath));
    const settingsText = readTextIfExists(settingsPath);
    const settings = settingsText?.includes('"apiKeys"') ? recordOf(settingsText) : undefined;
    const keys = settings && recordOf(JSON.stringify(settings["apiKeys"]));
    if (!oauth && !keys) return;
    const entries: Record<string, unknown> = {};
    for (const [provider, key] of Object.entries(keys ?? {})) {
      if (typeof key === "string") entries[provider] = { type: "api_key", key };
    }
    for (const [provider, credential] of Object.entries(oauth ?? {})) {
      // What is no object is none; spread, a text would become its letters.
      if (typeof credential === "object") entries[provider] = { type: "oauth", ...credential };
    }
    // Somebody else may have been faster; then everything stays as it is.
    if (!createFileOnce(authPath, JSON.stringify(entries, null, 2))) return;
    if (oauth) renameFile(oauthPath, `${oauthPath}.migrated`);
    if (settings && keys) {
      const { apiKeys: _moved, ...rest } = settings;
      replaceFile(settingsPath, JSON.stringify(rest, null, 2));
    }
  } catch {
    // By contract silent: the user is asked for a key, as without a migration.
  }
}

function recordOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
