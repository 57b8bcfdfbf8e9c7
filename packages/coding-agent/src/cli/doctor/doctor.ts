/** `pi doctor`: what the program runs on and keeps, and what to fix. Asks nobody over a network, prints no secret. */
import { ModelRuntime } from "../../core/models/model-runtime.js";
import { defaultSessionDir, resolveUserPath } from "../../core/session-store/paths.js";
import { type SettingsError, SettingsManager } from "../../core/settings/settings-manager.js";
import { subcommandOptionAdvice } from "../subcommand-advice.js";
import { findSubcommand, findSubcommandOption, subcommandHelp } from "../subcommands.js";
import { checkClients, checkCredentials, checkFolder, checkKeys, checkModels, checkTrust } from "./files.js";
import { checkNode, checkProxies, checkRipgrep, checkRoom, checkTerminal } from "./machine.js";
import { type Check, exitCode, reportJson, reportText } from "./report.js";
import { checkResources } from "./resources.js";
import { checkSettings } from "./settings.js";

export interface DoctorOutcome {
  code: number;
  stdout?: string;
  stderr?: string;
}

/** @param words without `doctor` */
export async function runDoctor(
  words: readonly string[],
  place: { cwd: string; agentDir: string },
): Promise<DoctorOutcome> {
  const command = findSubcommand("doctor");
  if (!command) throw new Error("No command is called doctor.");
  const options = words.map((word) => ({ word, option: findSubcommandOption(word, command)?.long }));
  if (options.some(({ option }) => option === "--help")) return { code: 0, stdout: subcommandHelp(command) };
  const unknown = options.find(({ option }) => option === undefined);
  if (unknown) {
    const advice = subcommandOptionAdvice(unknown.word, command) ?? `Usage: pi ${command.usage}`;
    return { code: 1, stderr: `Unknown option ${unknown.word} for "doctor".\n${advice}` };
  }
  const checks = await allChecks(place);
  const isJson = options.some(({ option }) => option === "--json");
  return { code: exitCode(checks), stdout: isJson ? reportJson(checks) : reportText(checks) };
}

async function allChecks({ cwd, agentDir }: { cwd: string; agentDir: string }): Promise<Check[]> {
  const { env, stdin, stdout, version } = process;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const agentFolder = checkFolder(
    "Agent directory",
    agentDir,
    "Nothing can be kept: make it writable, or set PI_CODING_AGENT_DIR.",
  );
  const machine = [
    checkNode(version),
    checkTerminal({ isTerminal, columns: stdout.columns, env }),
    await checkRipgrep(),
  ];
  try {
    const settings = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
    const errors: SettingsError[] = [];
    settings.watchErrors((error) => errors.push(error));
    const runtime = new ModelRuntime({ agentDir });
    const { checks: resources, ...named } = await checkResources({ cwd, agentDir }, settings, runtime);
    const sessions = env["PI_CODING_AGENT_SESSION_DIR"] ?? settings.getSessionDir();
    const sessionDir = sessions === undefined ? defaultSessionDir(agentDir, cwd) : resolveUserPath(sessions, cwd);
    return [
      ...machine,
      agentFolder,
      ...(await checkSettings(settings, errors, { runtime, ...named }, agentDir)),
      checkModels(runtime, agentDir),
      ...checkCredentials(runtime, agentDir),
      ...checkClients(agentDir),
      checkTrust(agentDir, cwd),
      ...resources,
      ...(await checkKeys(agentDir)),
      checkFolder(
        "Session directory",
        sessionDir,
        "Sessions are lost: make it writable, or set sessionDir in settings.json.",
      ),
      checkRoom(sessionDir),
      checkProxies(env, settings.getHttpProxy()),
    ];
  } catch (error) {
    // Nothing more can be looked at then.
    const found = (error as Error).message;
    return [...machine, agentFolder, { title: "Settings", level: "fail", found, fix: "See the line above." }];
  }
}
