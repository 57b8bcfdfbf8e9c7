/** Checks of what the program keeps: settings, credentials, sessions. Nothing is written but a trial of the folders. */
import { join } from "node:path";
import { AuthStorage } from "../../core/models/auth-storage.js";
import type { ModelRuntime } from "../../core/models/model-runtime.js";
import { oauthClientsProblem } from "../../core/models/oauth-clients.js";
import { fileSize, isThere, othersMayRead, statIfExists } from "../../core/storage/files.js";
import { folderProblem } from "../../core/storage/folder-problem.js";
import { TrustStoreError } from "../../core/trust/trust-store.js";
import { ProjectTrustStore } from "../../core/trust-manager.js";
import { modelsProblemLine } from "../models-problem.js";
import type { Check } from "./report.js";

/** A folder that is written to; it need not exist as long as it can be made. */
export function checkFolder(title: string, path: string, fix: string): Check {
  const problem = folderProblem(path);
  if (problem !== undefined) return { title, level: "fail", found: `${path} ${problem}`, fix };
  return { title, level: "ok", found: statIfExists(path) ? path : `${path} (made when needed)` };
}

export function checkModels(runtime: ModelRuntime, agentDir: string): Check {
  const path = join(agentDir, "models.json");
  const error = runtime.getError();
  if (error === undefined) return { title: "models.json", level: "ok", found: statIfExists(path) ? path : "none" };
  return {
    title: "models.json",
    level: "fail",
    found: modelsProblemLine(error),
    fix: `Correct ${path}: docs/models.md.`,
  };
}

/** Only told of when something is wrong: few have the file. */
export function checkClients(agentDir: string): Check[] {
  const found = oauthClientsProblem(agentDir);
  if (found === undefined) return [];
  const fix = "Keys work without it, sign-ins with clients of your own do not: docs/models.md.";
  return [{ title: "Sign-in clients", level: "fail", found, fix }];
}

export function checkTrust(agentDir: string, cwd: string): Check {
  const title = "Project trust";
  try {
    const decision = new ProjectTrustStore(agentDir).get(cwd);
    const path = join(agentDir, "trust.json");
    if (fileSize(path) === 0) return emptyFile(title, path, "No decision is kept.");
    const said = decision ? "trusted" : "not trusted";
    return { title, level: "ok", found: decision === null ? `nothing decided for ${cwd}` : `${cwd} is ${said}` };
  } catch (error) {
    const fix = error instanceof TrustStoreError ? error.advice : "Look at the disk.";
    return { title, level: "fail", found: (error as Error).message, fix };
  }
}

/** Only looked at when something is wrong: keys are a matter of screens. */
export async function checkKeys(agentDir: string): Promise<Check[]> {
  if (!isThere(join(agentDir, "keybindings.json"))) return [];
  const { AppKeybindings } = await import("../../modes/interactive/keys/keybindings-file.js");
  const { error } = new AppKeybindings(agentDir);
  if (error === undefined) return [];
  return [{ title: "Keys", level: "warn", found: error, fix: "Correct or remove the file: docs/interactive.md." }];
}

/** Who can be asked, and from where; no key and no token. */
export function checkCredentials(runtime: ModelRuntime, agentDir: string): Check[] {
  const title = "Credentials";
  const path = join(agentDir, "auth.json");
  const problem = AuthStorage.create(path).getError();
  if (problem) {
    // Who may read it cannot always be told then.
    return [{ title, level: "fail", found: problem.message, fix: "Then sign in again: pi auth login <provider>." }];
  }
  const lost = fileSize(path) === 0 ? [emptyFile(title, path, "No key and no sign-in is kept.")] : [];
  const isOpen = othersMayRead(path);
  const open: Check = { title, level: "warn", found: `others may read ${path}`, fix: `chmod 600 ${path}` };
  const usable = runtime.providers.filter((id) => runtime.hasConfiguredAuth(id));
  const names = usable.map((id) => `${id} (${sourceOf(runtime, id)})`);
  if (names.length === 0) {
    const fix =
      "Sign in or store a key: pi auth login <provider>. Or set one in the environment, as ANTHROPIC_API_KEY.";
    return [...(isOpen ? [open] : []), ...lost, { title, level: "warn", found: "none: no model can be asked", fix }];
  }
  return [...lost, isOpen ? open : { title, level: "ok", found: names.join(", ") }];
}

/** It counts as one without entries. Whoever cut it to nothing did not mean that. */
function emptyFile(title: string, path: string, lost: string): Check {
  const fix = `${lost} Remove the file, or put back what was in it.`;
  return { title, level: "warn", found: `${path} is empty`, fix };
}

function sourceOf(runtime: ModelRuntime, id: string): string {
  const { source, label } = runtime.getProviderAuthStatus(id);
  switch (source) {
    case "environment":
      return label ?? "environment";
    case "stored":
      return label === "OAuth" ? "signed in" : "stored key";
    case "models_json_key":
    case "models_json_command":
      return "models.json";
    default:
      return label ?? source ?? "configured";
  }
}
