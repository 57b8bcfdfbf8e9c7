/** Checks of what a start loads: extensions, skills, prompt templates, themes, packages. */
import { loadResources } from "../../core/agent-session-services.js";
import { loadErrorLine } from "../../core/extensions/loading/load-error.js";
import { bindProviders } from "../../core/extensions/provider-binding.js";
import type { ModelRuntime } from "../../core/models/model-runtime.js";
import { resolveProjectTrusted } from "../../core/project-trust.js";
import type { SettingsManager } from "../../core/settings/settings-manager.js";
import { allToolNames } from "../../core/tools/tool-names.js";
import { ProjectTrustStore } from "../../core/trust-manager.js";
import type { Check } from "./report.js";

export interface LoadedResources {
  checks: Check[];
  tools: string[];
  themes: string[];
}

const title = "Resources";

/**
 * Loads all that a start here would load, with what was decided about the project; extensions run their first lines, as
 * with `--help`. Nothing is fetched.
 */
export async function checkResources(
  place: { cwd: string; agentDir: string },
  settingsManager: SettingsManager,
  runtime: ModelRuntime,
): Promise<LoadedResources> {
  // Packages that are missing would be installed else.
  process.env["PI_OFFLINE"] = "1";
  const warnings: string[] = [];
  const loader = await loadResources(
    {
      ...place,
      settingsManager,
      resourceLoaderReloadOptions: { resolveProjectTrust: () => isTrusted(place, settingsManager) },
    },
    (message) => warnings.push(message),
  );
  const { extensions, errors, runtime: extensionRuntime } = loader.getExtensions();
  bindProviders(extensionRuntime, runtime, (path, message) => warnings.push(`Extension "${path}" error: ${message}`));
  const themes = loader.getThemes().themes.flatMap(({ name }) => name ?? []);
  const tools = extensions.flatMap((extension) => [...extension.tools.keys()]);
  const checks = [
    ...errors.map((error): Check => {
      const fix = 'Correct or remove it. Nothing but "pi -ne" and a terminal starts until then.';
      return { title, level: "fail", found: loadErrorLine(error), fix };
    }),
    ...warnings.map((found): Check => ({ title, level: "warn", found, fix: "Correct it, or what names it." })),
  ];
  const counts = [
    [extensions.length, "extension"],
    [loader.getSkills().skills.length, "skill"],
    [loader.getPrompts().prompts.length, "prompt template"],
    [themes.length, "theme"],
  ] as const;
  const found = counts.map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`).join(", ");
  return {
    checks: checks.length > 0 ? checks : [{ title, level: "ok", found }],
    tools: [...new Set([...allToolNames, ...tools])],
    themes,
  };
}

/** As for a start where nobody can be asked. */
async function isTrusted(
  { cwd, agentDir }: { cwd: string; agentDir: string },
  settings: SettingsManager,
): Promise<boolean> {
  try {
    const store = new ProjectTrustStore(agentDir);
    return await resolveProjectTrusted({ cwd, store, defaultProjectTrust: settings.getDefaultProjectTrust() });
  } catch {
    // The check of the trust store says why.
    return false;
  }
}
