import { join } from "node:path";
import { getAgentDir } from "../../config.js";
import { agentFolderProblem } from "../storage/agent-folder.js";
import { readTextIfExists } from "../storage/files.js";
import type { Settings } from "./settings.js";
import { checkedSettings } from "./settings-types.js";

export interface SettingsError {
  path: string;
  message: string;
}

/** Longest delay a timer takes: stands for "no limit". */
const noTimeoutMs = 2147483647;
const defaultIdleTimeoutMs = 300_000;

/**
 * The user's settings: `<agentDir>/settings.json`.
 *
 * A file that is no valid JSON counts as empty, a value of another type than its key wants as absent; both are reported
 * by `drainErrors()`. Such a file is never written.
 * Source: cli-and-config.md section 4.
 */
export class SettingsManager {
  #settings: Settings;
  #errors: SettingsError[];

  private constructor(settings: Settings, errors: SettingsError[] = []) {
    this.#settings = settings;
    this.#errors = errors;
  }

  /** @throws Error when the agent directory is a file */
  static create(_cwd: string, agentDir: string = getAgentDir()): SettingsManager {
    const problem = agentFolderProblem(agentDir);
    if (problem !== undefined) throw new Error(problem);
    const path = join(agentDir, "settings.json");
    try {
      const text = readTextIfExists(path);
      const parsed: unknown = text === undefined ? {} : JSON.parse(text);
      if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new Error("expected an object");
      const { settings, problems } = checkedSettings(parsed as Record<string, unknown>);
      const errors = problems.map((problem) => ({
        path,
        message: `Invalid settings file ${path}: ${problem}. It is ignored until you correct it.`,
      }));
      return new SettingsManager(settings, errors);
    } catch (error) {
      const reason = (error as Error).message.replace(/\.$/, "");
      const message = `Invalid settings file ${path}: ${reason}. Its settings are ignored until you correct or remove it.`;
      return new SettingsManager({}, [{ path, message }]);
    }
  }

  /** Settings that no file backs. */
  static inMemory(settings: Settings = {}): SettingsManager {
    return new SettingsManager(structuredClone(settings));
  }

  /** The effective settings. */
  getSettings(): Settings {
    return this.#settings;
  }

  /** Problems since the last call. */
  drainErrors(): SettingsError[] {
    return this.#errors.splice(0);
  }

  /**
   * Longest silence of a provider, in ms; "no limit" is the longest timer.
   * @throws `Invalid httpIdleTimeoutMs setting: <value>`
   */
  getHttpIdleTimeoutMs(): number {
    const value = this.#settings.httpIdleTimeoutMs ?? defaultIdleTimeoutMs;
    if (value === "disabled" || value === 0) return noTimeoutMs;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw new Error(
        `Invalid httpIdleTimeoutMs setting: ${typeof value === "object" ? JSON.stringify(value) : value}`,
      );
    }
    return value;
  }

  /**
   * Tools that are active without `--tools`: plain names replace the base set, then `+x` adds and `-x` removes.
   * Source: cli-and-config.md section 4.2.
   */
  getDefaultTools(base: readonly string[]): string[] {
    const configured = this.#settings.defaultTools;
    if (!Array.isArray(configured)) return [...base];
    return applyToolChanges(configured, base);
  }
}

/** `+name` / `-name` entries change the base, plain names (or an empty list) replace it. */
export function applyToolChanges(entries: readonly string[], base: readonly string[]): string[] {
  const plain = entries.filter((entry) => !/^[+-]/.test(entry));
  const active = new Set(plain.length > 0 || entries.length === 0 ? plain : base);
  for (const entry of entries) {
    if (entry.startsWith("+")) active.add(entry.slice(1));
    else if (entry.startsWith("-")) active.delete(entry.slice(1));
  }
  return [...active];
}
