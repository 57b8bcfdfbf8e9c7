import { join } from "node:path";
import type { QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import { getAgentDir } from "../../config.js";
import type { EffectiveCompactionSettings } from "../compaction/types.js";
import { agentFolderProblem } from "../storage/agent-folder.js";
import { readTextIfExists } from "../storage/files.js";
import { JsonFile } from "../storage/json-file.js";
import { type DisplaySettingPath, type DisplaySettings, displaySettings } from "./display-settings.js";
import { isObject, type JsonObject, mergeSettings, nested } from "./merge.js";
import type { BranchSummarySettings, Settings } from "./settings.js";
import { checkedSettings } from "./settings-types.js";
import { compactionSettings, type EffectiveRetrySettings, retrySettings } from "./settings-values.js";

export interface SettingsError {
  path: string;
  message: string;
}

/** Longest delay a timer takes: stands for "no limit". */
const noTimeoutMs = 2147483647;
const defaultIdleTimeoutMs = 300_000;
const lockStaleMs = 10_000;

/**
 * The user's settings: `<agentDir>/settings.json`.
 *
 * A file that is no valid JSON counts as empty, a value of another type than its key wants as absent; both are reported
 * by `drainErrors()`. Such a file is never written. A setter changes memory at once and queues the change of the file:
 * under its lock, only the changed keys, so that what others wrote meanwhile stays.
 * Source: cli-and-config.md section 4.
 */
export class SettingsManager {
  #settings: Settings;
  #errors: SettingsError[];
  /** Undefined: nothing is stored. */
  readonly #file: JsonFile | undefined;
  #writes: Promise<void> = Promise.resolve();

  private constructor(settings: Settings, errors: SettingsError[] = [], file?: JsonFile) {
    this.#settings = settings;
    this.#errors = errors;
    this.#file = file;
  }

  /** @throws Error when the agent directory is a file */
  static create(_cwd: string, agentDir: string = getAgentDir()): SettingsManager {
    const problem = agentFolderProblem(agentDir);
    if (problem !== undefined) throw new Error(problem);
    const path = join(agentDir, "settings.json");
    try {
      const text = readTextIfExists(path);
      const parsed: unknown = text === undefined ? {} : JSON.parse(text);
      if (!isObject(parsed)) throw new Error("expected an object");
      const { settings, problems } = checkedSettings(parsed);
      const errors = problems.map((problem) => ({
        path,
        message: `Invalid settings file ${path}: ${problem}. It is ignored until you correct it.`,
      }));
      return new SettingsManager(
        settings,
        errors,
        new JsonFile(path, { title: "settings file", staleMs: lockStaleMs }),
      );
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

  /** Changes the effective settings in memory only. */
  applyOverrides(overrides: Settings): void {
    this.#settings = mergeSettings(this.#settings as JsonObject, overrides as JsonObject);
  }

  /** Waits until every change so far is stored. Changes that could not be are reported by `drainErrors()`. */
  async flush(): Promise<void> {
    await this.#writes;
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
   * Longest wait for a connection that is kept, in ms; 0 = no limit, undefined = that of the model layer.
   * @throws `Invalid websocketConnectTimeoutMs setting: <value>`
   */
  getWebSocketConnectTimeoutMs(): number | undefined {
    const value: unknown = this.#settings.websocketConnectTimeoutMs;
    if (value === undefined) return undefined;
    if (value === "disabled") return 0;
    if (typeof value === "number" && value >= 0) return value;
    throw new Error(`Invalid websocketConnectTimeoutMs setting: ${JSON.stringify(value)}`);
  }

  /**
   * Looks at the values without a default to fall back to, so that a session does not begin with wrong ones.
   * @throws for a timeout or a token count that is none
   */
  assertUsable(): void {
    this.getHttpIdleTimeoutMs();
    this.getWebSocketConnectTimeoutMs();
    this.getCompactionSettings();
  }

  /** @throws for token counts that are no non-negative safe integers */
  getCompactionSettings(model?: { provider: string; id: string }): EffectiveCompactionSettings {
    return compactionSettings(this.#settings, model && `${model.provider}/${model.id}`);
  }

  getBranchSummarySettings(): Required<BranchSummarySettings> {
    return { reserveTokens: 16384, skipPrompt: false, ...this.#settings.branchSummary };
  }

  getRetrySettings(): EffectiveRetrySettings {
    return retrySettings(this.#settings);
  }

  getSteeringMode(): QueueMode {
    return this.#settings.steeringMode === "all" ? "all" : "one-at-a-time";
  }

  getFollowUpMode(): QueueMode {
    return this.#settings.followUpMode === "all" ? "all" : "one-at-a-time";
  }

  setSteeringMode(mode: QueueMode): void {
    this.#set(["steeringMode"], mode);
  }

  setFollowUpMode(mode: QueueMode): void {
    this.#set(["followUpMode"], mode);
  }

  setCompactionEnabled(enabled: boolean): void {
    this.#set(["compaction", "enabled"], enabled);
  }

  setRetryEnabled(enabled: boolean): void {
    this.#set(["retry", "enabled"], enabled);
  }

  /** Settings that affect display, with their defaults. */
  getDisplaySettings(): DisplaySettings {
    return displaySettings(this.#settings);
  }

  /** Changes a setting that affects display, by its name in the file. */
  setDisplaySetting(path: DisplaySettingPath, value: string | number | boolean): void {
    this.#set(path.split("."), value);
  }

  /** Patterns of models to cycle through; undefined = all. */
  setEnabledModels(patterns: readonly string[] | undefined): void {
    this.#set(["enabledModels"], patterns === undefined ? [] : [...patterns]);
  }

  setDefaultModelAndProvider(provider: string, modelId: string): void {
    this.#set(["defaultProvider"], provider);
    this.#set(["defaultModel"], modelId);
  }

  setDefaultThinkingLevel(level: ThinkingLevel): void {
    this.#set(["defaultThinkingLevel"], level);
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

  #set(path: readonly string[], value: unknown): void {
    const change = nested(path, value);
    this.#settings = mergeSettings(this.#settings as JsonObject, change);
    const file = this.#file;
    if (!file) return;
    this.#writes = this.#writes
      .then(() => file.modify(async (current) => mergeSettings(current, change)))
      .catch((error: unknown) => {
        this.#errors.push({ path: file.path, message: `Could not save settings: ${(error as Error).message}` });
      });
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
