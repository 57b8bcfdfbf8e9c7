/** Extensions without a session: for the help, and for lists of models. Source: cli-and-config.md sections 1.1 and 1.6. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_DIR_NAME } from "../config.js";
import { loadErrorLine } from "../core/extensions/loading/load-error.js";
import type { LoadExtensionsResult } from "../core/extensions/types.js";
import { readTextIfExists } from "../core/storage/read-text.js";
import type { Invocation } from "./invocation.js";

export interface FoundExtensions {
  /** Undefined where there are none. */
  loaded?: LoadExtensionsResult;
  /** Extensions that could not be loaded, one line each. */
  problems: string[];
}

/**
 * Loads the extensions there are, with what was decided about the project: nobody is asked, no session is made. Where
 * there are none nothing is loaded.
 */
export async function findExtensions({
  args,
  cwd,
  agentDir,
  extensionFactories = [],
}: Invocation): Promise<FoundExtensions> {
  if (extensionFactories.length === 0 && !mayHaveExtensions({ args, cwd, agentDir })) return { problems: [] };
  const [{ DefaultResourceLoader }, { SettingsManager }, { resolveProjectTrusted }, { ProjectTrustStore }] =
    await Promise.all([
      import("../core/resource-loader.js"),
      import("../core/settings/settings-manager.js"),
      import("../core/project-trust.js"),
      import("../core/trust-manager.js"),
    ]);
  const problems: string[] = [];
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
  const loader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    additionalExtensionPaths: args.extensions,
    extensionFactories,
    noExtensions: args.noExtensions,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
  });
  await loader.reload({
    resolveProjectTrust: async () => {
      const { projectTrustOverride: override } = args;
      const defaultProjectTrust = settingsManager.getDefaultProjectTrust();
      try {
        return await resolveProjectTrusted({
          cwd,
          store: new ProjectTrustStore(agentDir),
          override,
          defaultProjectTrust,
        });
      } catch (error) {
        // A store that cannot be read never counts as trust; a start would end with this.
        problems.push(error instanceof Error ? error.message : String(error));
        return false;
      }
    },
  });
  const loaded = loader.getExtensions();
  problems.push(...loaded.errors.map(loadErrorLine));
  return { loaded, problems };
}

/** Whether it is worth looking: the help of a program without extensions is there at once. */
function mayHaveExtensions({ args, cwd, agentDir }: Invocation): boolean {
  if (args.extensions?.length) return true;
  if (args.noExtensions) return false;
  return [agentDir, join(cwd, CONFIG_DIR_NAME)].some(
    (folder) => existsSync(join(folder, "extensions")) || namesExtensions(join(folder, "settings.json")),
  );
}

function namesExtensions(settingsFile: string): boolean {
  try {
    return /"(?:extensions|packages)"/.test(readTextIfExists(settingsFile) ?? "");
  } catch {
    // There is none, or the start says what is wrong with it.
    return false;
  }
}
