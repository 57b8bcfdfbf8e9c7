/** `pi install`, `remove`, `update`, `list`. Source: cli-and-config.md section 1.8, extensions.md section 10.4. */
import { join } from "node:path";
import { CONFIG_DIR_NAME } from "../config.js";
import { DefaultPackageManager } from "../core/packages/package-manager.js";
import { SettingsManager } from "../core/settings/settings-manager.js";
import { folderProblem } from "../core/storage/folder-problem.js";
import { TrustStoreError } from "../core/trust/trust-store.js";
import { ProjectTrustStore } from "../core/trust-manager.js";
import { type CommandPlace, settingsOfCommand } from "./command-trust.js";
import { type PackageCommand, type PackageCommandName, packageHelp, parsePackageCommand } from "./package-args.js";

export interface PackageCommandIo {
  /** One line for stdout. */
  say: (line: string) => void;
  /** One line for stderr. */
  complain: (line: string) => void;
}

/** @returns the exit code */
export async function runPackageCommand(
  name: PackageCommandName,
  words: readonly string[],
  place: CommandPlace,
  { say, complain }: PackageCommandIo,
): Promise<number> {
  const parsed = parsePackageCommand(name, words);
  if ("usage" in parsed) {
    say(packageHelp(parsed.usage));
    return 0;
  }
  if ("error" in parsed) {
    complain(parsed.error);
    complain(parsed.advice);
    return 1;
  }
  try {
    const settings = await settingsFor(parsed.command, place);
    settings.assertReadable();
    for (const { error } of settings.drainErrors()) complain(`Warning: ${error.message}`);
    const manager = new DefaultPackageManager({ ...place, settingsManager: settings });
    return await run(parsed.command, manager, settings, place, { say, complain });
  } catch (error) {
    const { message } = error as Error;
    complain(message.startsWith("No matching package found") ? message : `Error: ${message}`);
    if (error instanceof TrustStoreError) complain(error.advice);
    return 1;
  }
}

async function settingsFor(command: PackageCommand, place: CommandPlace) {
  if (command.name !== "update") return settingsOfCommand(place, command.trustOverride);
  // Updates ask nobody: what was decided before counts.
  const { cwd, agentDir } = place;
  const settings = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
  settings.setProjectTrusted(command.trustOverride ?? new ProjectTrustStore(agentDir).get(cwd) ?? false);
  return settings;
}

async function run(
  command: PackageCommand,
  manager: DefaultPackageManager,
  settings: SettingsManager,
  { cwd, agentDir }: CommandPlace,
  { say, complain }: PackageCommandIo,
): Promise<number> {
  const { name, source = "", local, allowScripts } = command;
  if (local && !settings.isProjectTrusted()) {
    complain("Project is not trusted. Use --approve to modify local package config.");
    return 1;
  }
  const folder = local ? join(cwd, CONFIG_DIR_NAME) : agentDir;
  const problem = name === "install" || name === "remove" ? folderProblem(folder) : undefined;
  if (problem !== undefined) {
    complain(`Error: Packages cannot be kept: ${folder} ${problem}.`);
    return 1;
  }
  switch (name) {
    case "install":
      say(`Installing ${source}...`);
      await manager.installAndPersist(source, { local, allowScripts: allowScripts || undefined });
      assertStored(settings, `${source} is not used: no settings name it. Install it again when they can be written.`);
      say(`Installed ${source}`);
      if (local && command.trustOverride === undefined && !isDecided(cwd, agentDir)) complain(undecidedText);
      return 0;
    case "remove":
      say(`Removing ${source}...`);
      if (!(await manager.removeAndPersist(source, { local }))) {
        complain(`No matching package found for ${source}`);
        return 1;
      }
      assertStored(settings, "The settings name it still. Remove it again when they can be written.");
      say(`Removed ${source}`);
      return 0;
    case "list":
      list(manager, say);
      return 0;
    case "update":
      return update(command, manager, agentDir, { say, complain });
  }
}

const undecidedText =
  "This project is not trusted yet: a start asks about it, or leaves the package out where nobody can be asked.\n" +
  "To use it all the same: --approve, also with pi list.";

/** Whether what the project has of its own counts without being asked about: trusted for this command is not for good. */
function isDecided(cwd: string, agentDir: string): boolean {
  if (new ProjectTrustStore(agentDir).get(cwd) !== null) return true;
  return SettingsManager.create(cwd, agentDir, { projectTrusted: false }).getDefaultProjectTrust() !== "ask";
}

/** @throws for a change that could not be stored */
function assertStored(settings: SettingsManager, consequence: string): void {
  const [problem] = settings.drainErrors();
  if (problem) throw new Error(`${problem.error.message}\n${consequence}`);
}

function list(manager: DefaultPackageManager, say: (line: string) => void): void {
  const packages = manager.listConfiguredPackages();
  if (packages.length === 0) say("No packages installed.");
  for (const [scope, title] of [
    ["user", "User packages:"],
    ["project", "Project packages:"],
  ]) {
    const own = packages.filter((one) => one.scope === scope);
    if (own.length > 0) say(title as string);
    for (const { source, filtered, installedPath } of own) {
      say(`  ${source}${filtered ? " (filtered)" : ""}`);
      say(`    ${installedPath ?? "not installed"}`);
    }
  }
}

async function update(
  { target, source, force }: PackageCommand,
  manager: DefaultPackageManager,
  agentDir: string,
  { say, complain }: PackageCommandIo,
): Promise<number> {
  if (target === "self") {
    complain("Error: pi does not replace itself. Update it the way it was installed, for example with npm.");
    return 1;
  }
  if (target === "models" || target === "all") {
    const { updateModels } = await import("./update-models.js");
    const { text, problems } = await updateModels(agentDir);
    for (const problem of problems) complain(`Error: ${problem}`);
    if (text !== undefined) say(text);
    if (target === "models" || problems.length > 0) return problems.length > 0 ? 1 : 0;
  }
  if (process.env["PI_OFFLINE"]) {
    say("Skipped package updates (offline mode)");
    return 0;
  }
  if (target === "one") {
    await manager.update(source);
    say(`Updated ${source}`);
    return 0;
  }
  const updates = await manager.checkForAvailableUpdates({ force });
  for (const one of updates) await manager.update(one.source);
  say(updates.length === 0 ? "Packages are already up to date" : `Updated ${updates.length} package(s):`);
  for (const one of updates) say(`  ${one.displayName}`);
  return 0;
}
