/** Whether commands that are no session may use and change what a project brings. Source: cli-and-config.md section 1.8. */
import { resolveProjectTrusted } from "../core/project-trust.js";
import { SettingsManager } from "../core/settings/settings-manager.js";
import { ProjectTrustStore } from "../core/trust-manager.js";
import { printError } from "../modes/output.js";

export interface CommandPlace {
  cwd: string;
  agentDir: string;
}

/** The settings of a place as far as they count; somebody at a terminal is asked about the project, as in a run. */
export async function settingsOfCommand(
  { cwd, agentDir }: CommandPlace,
  trustOverride: boolean | undefined,
): Promise<SettingsManager> {
  const settings = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
  const isTrusted = await resolveProjectTrusted({
    cwd,
    store: new ProjectTrustStore(agentDir),
    override: trustOverride,
    defaultProjectTrust: settings.getDefaultProjectTrust(),
    select: process.stdin.isTTY && process.stdout.isTTY ? selectInLines : undefined,
  });
  settings.setProjectTrusted(isTrusted);
  return settings;
}

async function selectInLines(title: string, labels: string[]): Promise<string | undefined> {
  const [{ LineReader }, { plainUI }] = await Promise.all([
    import("../modes/interactive/plain/line-reader.js"),
    import("../modes/interactive/plain/plain-ui.js"),
  ]);
  const lines = new LineReader();
  try {
    return await plainUI({ print: printError, nextLine: (signal) => lines.nextLine(signal) }).select(title, labels);
  } finally {
    lines.close();
  }
}
