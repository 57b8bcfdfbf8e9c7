/** `pi config`: switches extensions, skills, prompts and themes on and off. Source: extensions.md section 10.4. */
import { ResourceConfig } from "../core/packages/resource-config.js";
import { TrustStoreError } from "../core/trust/trust-store.js";
import { type CommandPlace, settingsOfCommand } from "./command-trust.js";
import { subcommandOptionAdvice } from "./subcommand-advice.js";
import { findSubcommand, findSubcommandOption, subcommandHelp } from "./subcommands.js";

export interface ConfigCommandIo {
  /** One line for stdout. */
  say: (line: string) => void;
  /** One line for stderr. */
  complain: (line: string) => void;
}

/** @returns the exit code */
export async function runConfigCommand(
  words: readonly string[],
  place: CommandPlace,
  { say, complain }: ConfigCommandIo,
): Promise<number> {
  const spec = findSubcommand("config");
  if (!spec) throw new Error("No command is called config.");
  let trustOverride: boolean | undefined;
  let isLocal = false;
  for (const word of words) {
    const option = findSubcommandOption(word, spec)?.long;
    if (option === "--help") {
      say(subcommandHelp(spec));
      return 0;
    }
    if (option === "--approve" || option === "--no-approve") trustOverride = option === "--approve";
    else if (option === "--local") isLocal = true;
    else {
      const isOption = word.startsWith("-");
      const near = isOption ? subcommandOptionAdvice(word, spec) : undefined;
      complain(isOption ? `Unknown option ${word} for "config".` : `Unexpected argument ${word}.`);
      complain(
        isOption ? `Use "pi --help" or "pi ${spec.usage}".${near ? `\n${near}` : ""}` : `Usage: pi ${spec.usage}`,
      );
      return 1;
    }
  }
  try {
    return await configure(place, trustOverride, isLocal, complain);
  } catch (error) {
    complain(`Error: ${(error as Error).message}`);
    if (error instanceof TrustStoreError) complain(error.advice);
    return 1;
  }
}

async function configure(
  place: CommandPlace,
  trustOverride: boolean | undefined,
  isLocal: boolean,
  complain: ConfigCommandIo["complain"],
): Promise<number> {
  const settingsManager = await settingsOfCommand(place, trustOverride);
  settingsManager.assertReadable();
  for (const { error } of settingsManager.drainErrors()) complain(`Warning: ${error.message}`);
  const isTrusted = settingsManager.isProjectTrusted();
  if (isLocal && !isTrusted) {
    complain("Project is not trusted. Use --approve to modify local resource config.");
    return 1;
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    complain(
      '"pi config" requires an interactive terminal. The settings file can be edited instead: see docs/packages.md.',
    );
    return 1;
  }
  const { runResourceConfig } = await import("../modes/interactive/selectors/resource-config.js");
  const scopes = isTrusted ? (["user", "project"] as const) : (["user"] as const);
  await runResourceConfig({
    config: new ResourceConfig({ ...place, settingsManager }),
    scopes: isLocal ? [...scopes].reverse() : scopes,
    agentDir: place.agentDir,
    theme: settingsManager.getThemeSetting(),
  });
  await settingsManager.flush();
  const problems = settingsManager.drainErrors();
  for (const { error } of problems) complain(`Error: ${error.message}`);
  return problems.length > 0 ? 1 : 0;
}
