/** Checks of the settings: what the file may hold, and whether what it names is there. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { defaultModel } from "../../core/models/initial-model.js";
import type { ModelRuntime } from "../../core/models/model-runtime.js";
import type { SettingsError, SettingsManager } from "../../core/settings/settings-manager.js";
import { type SettingSchema, settingsSchema } from "../../core/settings/settings-schema.js";
import { statIfExists } from "../../core/storage/files.js";
import { BUILTIN_THEMES } from "../../core/themes/tokens.js";
import { unmatchedNames } from "../../core/tool-registry.js";
import { closest } from "../suggest.js";
import type { Check } from "./report.js";

/** What there is for settings to name. */
export interface Available {
  runtime: ModelRuntime;
  tools: readonly string[];
  themes: readonly string[];
}

const title = "Settings";

/** One check for everything that is wrong; one that says where the settings are when nothing is. */
export async function checkSettings(
  settings: SettingsManager,
  errors: readonly SettingsError[],
  available: Available,
  agentDir: string,
): Promise<Check[]> {
  const checks = [
    ...errors.map(({ error }): Check => ({ title, level: "fail", found: error.message, fix: "See docs/settings.md." })),
    ...settings.wrongSettings().map(({ message, file, expected }): Check => {
      const fix = `Correct it${placeText(file)}: expected ${expected}. Nothing starts until then.`;
      return { title, level: "fail", found: message, fix };
    }),
    ...checkNames(settings),
    ...checkShell(settings),
    ...checkTools(settings, available.tools),
    ...checkTheme(settings, available.themes),
    ...checkDefaultModel(settings, available.runtime),
    ...(await checkScope(settings, available.runtime)),
  ];
  return checks.length > 0 ? checks : [{ title, level: "ok", found: join(agentDir, "settings.json") }];
}

/** Keys that nobody knows belong to somebody else, unless they look like one of ours. */
function checkNames(settings: SettingsManager): Check[] {
  return [settings.getGlobalSettings(), settings.getProjectSettings()].flatMap((scope) =>
    nearMisses(scope, settingsSchema).map(({ path, near }): Check => {
      const file = placeText(settings.fileOf(path));
      const fix = `Did you mean ${near}? Correct it${file}: until then it does nothing.`;
      return { title, level: "warn", found: `no setting is called ${path.join(".")}`, fix };
    }),
  );
}

function nearMisses(value: object, schema: SettingSchema, above: string[] = []): { path: string[]; near: string }[] {
  const { properties = {}, additionalProperties } = schema;
  // Names that the user makes up, as those of models.
  if (typeof additionalProperties === "object") return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = [...above, name];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) return typeof member === "object" && member !== null ? nearMisses(member, known, path) : [];
    const near = closest(name, Object.keys(properties));
    return near === undefined ? [] : [{ path, near: [...above, near].join(".") }];
  });
}

function checkShell(settings: SettingsManager): Check[] {
  const path = settings.getShellPath();
  if (!path || isProgram(path)) return [];
  const fix = `No command can run. Correct it${placeText(settings.fileOf(["shellPath"]))}, or remove it for the usual shell.`;
  return [{ title, level: "fail", found: `shellPath is no program: ${path}`, fix }];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statIfExists(path)?.isFile() === true;
  } catch {
    return false;
  }
}

function checkTools(settings: SettingsManager, tools: readonly string[]): Check[] {
  const { defaultTools = [] } = settings.getSettings();
  const unknown = unmatchedNames(defaultTools, tools);
  if (unknown.length === 0) return [];
  const fix = `Correct it${placeText(settings.fileOf(["defaultTools"]))}. Tools: ${tools.join(", ")}.`;
  return [{ title, level: "warn", found: `defaultTools names no tool: ${unknown.join(", ")}`, fix }];
}

/** `light/dark` names two. */
function checkTheme(settings: SettingsManager, themes: readonly string[]): Check[] {
  const known: readonly string[] = [...BUILTIN_THEMES, ...themes];
  const unknown = settings
    .getThemeSetting()
    .split("/")
    .filter((name) => !known.includes(name.trim()));
  if (unknown.length === 0) return [];
  const fix = `Correct it${placeText(settings.fileOf(["theme"]))}. Themes: ${known.join(", ")}.`;
  return [{ title, level: "warn", found: `theme names none: ${unknown.join(", ")}`, fix }];
}

function checkDefaultModel(settings: SettingsManager, runtime: ModelRuntime): Check[] {
  const found = modelOf(settings, runtime);
  if (!found?.unusable) return [];
  const { model, unusable } = found;
  const { key, value, reason } = unusable;
  const used = model ? `${model.provider}/${model.id} is used instead.` : "No model can be asked.";
  const fix = `${used} Correct it${placeText(settings.fileOf([key]))}: pi --list-models shows what there is.`;
  return [{ title, level: "warn", found: `${key} ${JSON.stringify(value)}: ${reason}`, fix }];
}

function modelOf(settings: SettingsManager, runtime: ModelRuntime): ReturnType<typeof defaultModel> | undefined {
  try {
    return defaultModel(settings.getSettings(), runtime);
  } catch {
    // The credentials cannot be read, which their own check says.
    return undefined;
  }
}

async function checkScope(settings: SettingsManager, runtime: ModelRuntime): Promise<Check[]> {
  const patterns = settings.getEnabledModels() ?? [];
  if (patterns.length === 0) return [];
  const { resolveModelScopeWithDiagnostics } = await import("../../core/models/model-scope.js");
  const { diagnostics } = await resolveModelScopeWithDiagnostics(patterns, runtime);
  const fix = `Correct enabledModels${placeText(settings.fileOf(["enabledModels"]))}.`;
  return diagnostics.map(({ message }) => ({ title, level: "warn", found: message, fix }));
}

function placeText(file: string | undefined): string {
  return file === undefined ? "" : ` in ${file}`;
}
