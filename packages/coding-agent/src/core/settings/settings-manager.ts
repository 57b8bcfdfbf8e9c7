import { join } from "node:path";
import { CONFIG_DIR_NAME, getAgentDir } from "../../config.js";
import { agentFolderProblem } from "../storage/agent-folder.js";
import { jsonProblem, jsonProblemText } from "../storage/json-problem.js";
import { reasonOf } from "../storage/read-text.js";
import { checkedSettings } from "./check-settings.js";
import { isObject, type JsonObject, mergeSettings, nested } from "./merge.js";
import { migratedSettings } from "./migrate-settings.js";
import { fileStore, hostStore, type ScopeStore, type SettingsStorage } from "./scope-store.js";
import type { PackageSource, Settings } from "./settings.js";
import { SettingsAccess } from "./settings-access.js";
import type { SettingsScope } from "./settings-base.js";
import { settingsSchema } from "./settings-schema.js";
import { applyToolChanges } from "./settings-values.js";
import { type WrongSetting, wrongSettings } from "./strict-settings.js";

export interface SettingsError {
  scope: SettingsScope;
  /** Absent: the settings are in no file. */
  path?: string;
  error: Error;
}

export interface SettingsManagerCreateOptions {
  /** Whether the project's own settings count. Default true: whoever embeds decides; the program asks the user. */
  projectTrusted?: boolean;
}

/** The settings of one scope, and whether they may be written. */
interface Scope {
  readonly store: ScopeStore | undefined;
  settings: Settings;
  /** Why what is kept was not understood. It is not changed then. */
  unreadable?: Error | undefined;
}

/**
 * The user's settings, `<agentDir>/settings.json`, and those of the project, `<cwd>/.pi/settings.json`, over them.
 *
 * A file that is no valid JSON counts as empty, a value that its key cannot have as absent; both are reported by
 * `drainErrors()`. Such a file is never written. A setter changes memory at once and queues the change of the file:
 * under its lock, only the changed keys, so that what others wrote meanwhile stays.
 * Source: cli-and-config.md section 4.
 */
export class SettingsManager extends SettingsAccess {
  readonly #global: Scope;
  readonly #project: Scope;
  #isProjectTrusted: boolean;
  /** Kept across `reload()`: they are no file's. */
  #overrides: JsonObject = {};
  #effective: Settings = {};
  readonly #errors: SettingsError[] = [];
  readonly #watchers = new Set<(error: SettingsError) => void>();
  #writes: Promise<void> = Promise.resolve();

  private constructor(
    stores: { global?: ScopeStore; project?: ScopeStore },
    { projectTrusted = true }: SettingsManagerCreateOptions = {},
  ) {
    super();
    this.#global = { store: stores.global, settings: {} };
    this.#project = { store: stores.project, settings: {} };
    this.#isProjectTrusted = projectTrusted;
    this.#load("global", this.#global);
    this.#loadProject();
  }

  /** @throws Error when the agent directory is a file */
  static create(
    cwd: string,
    agentDir: string = getAgentDir(),
    options?: SettingsManagerCreateOptions,
  ): SettingsManager {
    const problem = agentFolderProblem(agentDir);
    if (problem !== undefined) throw new Error(problem);
    const global = fileStore(join(agentDir, "settings.json"));
    return new SettingsManager({ global, project: fileStore(join(cwd, CONFIG_DIR_NAME, "settings.json")) }, options);
  }

  /** Settings that the host keeps. */
  static fromStorage(storage: SettingsStorage, options?: SettingsManagerCreateOptions): SettingsManager {
    return new SettingsManager(
      { global: hostStore(storage, "global"), project: hostStore(storage, "project") },
      options,
    );
  }

  /** Settings that nothing keeps. */
  static inMemory(settings: Settings = {}): SettingsManager {
    const manager = new SettingsManager({});
    manager.#global.settings = structuredClone(settings);
    manager.#merge();
    return manager;
  }

  /** The effective settings: the user's, the project's over them, and what was set with `applyOverrides`. */
  getSettings(): Settings {
    return this.#effective;
  }

  getGlobalSettings(): Settings {
    return structuredClone(this.#global.settings);
  }

  /** Empty while the project is not trusted. */
  getProjectSettings(): Settings {
    return structuredClone(this.#project.settings);
  }

  isProjectTrusted(): boolean {
    return this.#isProjectTrusted;
  }

  /** Reads the project's settings, or forgets them. */
  setProjectTrusted(isTrusted: boolean): void {
    this.#isProjectTrusted = isTrusted;
    this.#loadProject();
  }

  /** Reads what is kept again. Changes that are still to be stored stay. */
  async reload(): Promise<void> {
    await this.flush();
    this.#load("global", this.#global);
    this.#loadProject();
  }

  /**
   * Looks at the values that nothing may silently take the place of, so that a session does not begin with wrong ones.
   * @throws for the first wrong one, naming the file it is in
   */
  assertUsable(): void {
    const [wrong] = this.wrongSettings();
    if (!wrong) return;
    const place = wrong.file === undefined ? "" : ` in ${wrong.file}`;
    throw new Error(`${wrong.message}\nCorrect it${place}: expected ${wrong.expected}.`);
  }

  /** The values that `assertUsable` throws for, and the files they are in; those of programs are in none. */
  wrongSettings(): (WrongSetting & { file: string | undefined })[] {
    return wrongSettings(this.#effective).map((wrong) => ({ ...wrong, file: this.fileOf(wrong.path) }));
  }

  /** The file that an effective value comes from; undefined when none holds it. */
  fileOf(path: readonly string[]): string | undefined {
    if (valueAt(this.#overrides, path) !== undefined) return undefined;
    const scope = [this.#project, this.#global].find(({ settings }) => valueAt(settings, path) !== undefined);
    return scope?.store?.path;
  }

  /** The project's file, when it decides about a value: what the user changes of it holds elsewhere. */
  projectFileOf(path: readonly string[]): string | undefined {
    return valueAt(this.#project.settings, path) === undefined ? undefined : this.#project.store?.path;
  }

  /**
   * For whoever shows or changes what is kept: a file that was not understood only looks empty, and no change is stored.
   * @throws what is wrong with the file of either scope
   */
  assertReadable(): void {
    const error = this.#global.unreadable ?? this.#project.unreadable;
    if (error) throw error;
  }

  /** Changes the effective settings in memory only. */
  applyOverrides(overrides: Settings): void {
    this.#overrides = mergeSettings(this.#overrides, overrides as JsonObject);
    this.#merge();
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
   * From now on problems are told at once, and not kept for `drainErrors()`. Those that nobody was told of yet are told now.
   * @returns a function that ends it
   */
  watchErrors(listener: (error: SettingsError) => void): () => void {
    this.#watchers.add(listener);
    for (const error of this.drainErrors()) listener(error);
    return () => void this.#watchers.delete(listener);
  }

  /** Where sessions are kept: a project says so before anybody trusts it. Source: cli-and-config.md sections 4.2 and 5. */
  getSessionDir(): string | undefined {
    if (this.#isProjectTrusted) return this.#effective.sessionDir;
    const { settings } = parsed(readQuietly(this.#project.store));
    return settings.sessionDir ?? this.#effective.sessionDir;
  }

  /** @throws Error for a change of the project's settings while it is not trusted */
  protected change(path: readonly string[], value: unknown, scopeName: SettingsScope = "global"): void {
    this.#assertWritable(scopeName);
    const change = nested(path, value);
    this.#edit(scopeName, (current) => mergeSettings(current, change));
  }

  /**
   * Changes the packages of a scope. Other processes may change them too, so the change is made once more to what is stored.
   * @param edit must not change what it is given
   * @throws Error for a change of the project's settings while it is not trusted
   */
  editPackages(scopeName: SettingsScope, edit: (packages: readonly PackageSource[]) => PackageSource[]): void {
    this.#assertWritable(scopeName);
    this.#edit(scopeName, (current) => {
      const { packages } = current as Settings;
      return { ...current, packages: edit(Array.isArray(packages) ? packages : []) } as JsonObject;
    });
  }

  #assertWritable(scopeName: SettingsScope): void {
    if (scopeName === "project" && !this.#isProjectTrusted) {
      throw new Error("Project is not trusted; refusing to write project settings");
    }
  }

  #edit(scopeName: SettingsScope, edit: (current: JsonObject) => JsonObject): void {
    const scope = scopeName === "global" ? this.#global : this.#project;
    scope.settings = edit(scope.settings as JsonObject);
    this.#merge();
    const { store } = scope;
    if (!store) return;
    if (scope.unreadable) {
      this.#report(scopeName, `Could not save settings: ${scope.unreadable.message}`);
      return;
    }
    this.#writes = this.#writes
      .then(() => store.modify(edit))
      .catch((error: unknown) => this.#report(scopeName, `Could not save settings: ${(error as Error).message}`));
  }

  #loadProject(): void {
    if (this.#isProjectTrusted) {
      this.#load("project", this.#project);
      return;
    }
    this.#project.settings = {};
    this.#project.unreadable = undefined;
    this.#merge();
  }

  #load(name: SettingsScope, scope: Scope): void {
    const path = scope.store?.path ?? `of the ${name} scope`;
    try {
      const text = scope.store?.read();
      const { settings, problems } = parsed(text);
      // No JSON either, but there is nothing in it to lose, so it is written all the same.
      if (scope.store?.path !== undefined && text?.trim() === "") problems.push("it is empty");
      scope.settings = name === "global" ? settings : withoutGlobalKeys(settings);
      scope.unreadable = undefined;
      for (const problem of problems) {
        this.#report(name, `Invalid settings file ${path}: ${problem}. It is ignored until you correct it.`);
      }
    } catch (error) {
      const advice = "Its settings are ignored until you correct or remove it.";
      scope.unreadable = new Error(`Invalid settings file ${path}: ${reasonOf(error)}. ${advice}`);
      this.#report(name, scope.unreadable.message);
      scope.settings = {};
    }
    this.#merge();
  }

  #merge(): void {
    const { settings: global } = this.#global;
    const { settings: project } = this.#project;
    const merged = mergeSettings(global as JsonObject, project as JsonObject) as Settings;
    const { defaultTools } = project;
    // Only additions and removals: they change the user's choice instead of replacing it.
    if (defaultTools?.length && defaultTools.every((entry) => /^[+-]/.test(entry))) {
      const isNone = global.defaultTools?.length === 0;
      merged.defaultTools = isNone
        ? applyToolChanges(defaultTools, [])
        : [...(global.defaultTools ?? []), ...defaultTools];
    }
    this.#effective = mergeSettings(merged as JsonObject, this.#overrides);
  }

  #report(scope: SettingsScope, message: string): void {
    const path = (scope === "global" ? this.#global : this.#project).store?.path;
    const error: SettingsError = { scope, ...(path !== undefined && { path }), error: new Error(message) };
    if (this.#watchers.size === 0) this.#errors.push(error);
    for (const watcher of this.#watchers) watcher(error);
  }
}

/** @throws for text that is no JSON object */
function parsed(text: string | undefined): { settings: Settings; problems: string[] } {
  const value = text === undefined || text.trim() === "" ? {} : parsedJson(text);
  if (!isObject(value)) throw new Error("expected an object");
  return checkedSettings(migratedSettings(value));
}

/** @throws saying where it stops being JSON */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = jsonProblem(text);
    throw problem ? new Error(jsonProblemText(problem)) : error;
  }
}

function readQuietly(store: ScopeStore | undefined): string | undefined {
  try {
    const text = store?.read();
    parsed(text);
    return text;
  } catch {
    // Nobody trusts the file, so nobody is told of it either.
    return undefined;
  }
}

function valueAt(settings: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), settings);
}

function withoutGlobalKeys(settings: Settings): Settings {
  const own = Object.entries(settings).filter(([key]) => settingsSchema.properties?.[key]?.scope !== "global");
  return Object.fromEntries(own);
}
