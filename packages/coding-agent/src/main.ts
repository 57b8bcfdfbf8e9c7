import { answerWithoutSession, rpcFilesText, unsupportedOption } from "./answer-without-session.js";
import { type Args, parseCommandLine } from "./cli/args.js";
import type { Invocation } from "./cli/invocation.js";
import { nearCommand } from "./cli/near-command.js";
import { packageCommandName } from "./cli/package-args.js";
import { readPipedStdin } from "./cli/stdin.js";
import { findSubcommand, subcommandHelp } from "./cli/subcommands.js";
import { getAgentDir } from "./config.js";
import type { InlineExtension } from "./core/extensions/types.js";
import { fileWorkDone } from "./core/storage/at-end.js";
import { outputFailed, watchOutput } from "./modes/lost-output.js";
import { printError } from "./modes/output.js";
import { timed } from "./timing.js";

export interface MainOptions {
  /** Extensions of the program that calls this, beside those that are found. */
  extensionFactories?: InlineExtension[] | undefined;
}

type Mode = "print" | "json" | "rpc" | "interactive";

/**
 * The program: arguments to services to one mode. Sets the exit code and returns when the mode has ended.
 * Source: cli-and-config.md section 1.1.
 *
 * @param argv without node and script
 */
export async function main(argv: readonly string[], options: MainOptions = {}): Promise<void> {
  timed("the program loaded");
  process.title = process.title === "pi-rpc" ? "pi-rpc" : "pi";
  process.env["PI_CODING_AGENT"] = "true";
  process.env["AI_AGENT"] = "pi";
  // Notes of Node to programmers are none for users, and stderr belongs to the mode.
  process.emitWarning = () => {};
  watchOutput();
  watchForCrashes();
  process.on("beforeExit", ranEmpty);
  const code = await run(argv, options).catch(crashed);
  process.off("beforeExit", ranEmpty);
  process.exitCode = outputFailed() ? 1 : code;
  await endSoon();
}

/** Nothing is left to do, but something is still waited for: it will never come. */
function ranEmpty(): void {
  // Only who loads extensions has these in memory.
  void Promise.all([import("./core/extensions/running/waits.js"), import("./modes/run-empty.js")]).then(
    ([{ unansweredWaits }, { runEmptyText }]) => {
      printError(runEmptyText(unansweredWaits()));
      process.exit(1);
    },
  );
}

/** What no part of the program expected. Parts that have a session to name say it themselves. */
async function crashed(error: unknown): Promise<number> {
  const [{ reportCrash }, { killTrackedProcesses }] = await Promise.all([
    import("./modes/crash/crash.js"),
    import("./core/process/tracked-processes.js"),
  ]);
  killTrackedProcesses();
  printError(reportCrash(error, { agentDir: getAgentDir(), cwd: currentDirectory() ?? "", kind: "start" }));
  return 1;
}

/** Extensions are also loaded where there is no mode, as for their options in `--help`. */
async function isOfExtension(error: unknown): Promise<boolean> {
  const { strayStartErrors } = await import("./modes/stray-errors.js");
  return strayStartErrors((text) => printError(`Error: ${text}`))("uncaughtException", error);
}

let isWatching = false;

/** Answers errors outside of `run` while no mode is there that does: before one begins, and after. */
function watchForCrashes(): void {
  if (isWatching) return;
  isWatching = true;
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) > 1) return;
      void isOfExtension(error).then(async (isTold) => isTold || process.exit(await crashed(error)));
    });
  }
}

/** What may be left open when all is done: attempts at connections that nobody waits for any more. In ms. */
const ENDING_GRACE_MS = 500;

/** Ends the process even when something still holds it, once everything is written. */
async function endSoon(): Promise<void> {
  await fileWorkDone();
  // An empty write is done after all others.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))));
  setTimeout(() => process.exit(), ENDING_GRACE_MS).unref();
}

async function run(argv: readonly string[], { extensionFactories }: MainOptions): Promise<number> {
  if (argv.includes("--offline") || /^(1|true|yes)$/i.test(process.env["PI_OFFLINE"] ?? "")) {
    process.env["PI_OFFLINE"] = "1";
    process.env["PI_SKIP_VERSION_CHECK"] = "1";
  }
  // Commands have it behind them, wherever it stands.
  const rest = argv.slice(1).filter((word) => word !== "--offline");
  if (argv[0] === "auth") {
    const { runAuth } = await import("./cli/auth.js");
    const { code, stdout } = await runAuth(rest, getAgentDir());
    if (stdout !== undefined) process.stdout.write(`${stdout}\n`);
    return code;
  }
  const cwd = currentDirectory();
  if (cwd === undefined) {
    printError("Error: The current working directory no longer exists. Change to an existing directory and try again.");
    return 1;
  }
  const packageCommand = packageCommandName(argv[0]);
  if (packageCommand) {
    const { runPackageCommand } = await import("./cli/package-commands.js");
    return runPackageCommand(
      packageCommand,
      rest,
      { cwd, agentDir: getAgentDir() },
      {
        say: (line) => process.stdout.write(`${line}\n`),
        complain: printError,
      },
    );
  }
  if (argv[0] === "config") {
    const { runConfigCommand } = await import("./cli/config-command.js");
    const place = { cwd, agentDir: getAgentDir() };
    return runConfigCommand(rest, place, {
      say: (line) => process.stdout.write(`${line}\n`),
      complain: printError,
    });
  }
  const subcommand = findSubcommand(argv[0]);
  if (subcommand?.isPlanned) {
    const [word] = rest;
    if (word === undefined || ["help", "--help", "-h"].includes(word)) {
      process.stdout.write(`${subcommandHelp(subcommand)}\n`);
      return 0;
    }
    return fail(`Error: "pi ${subcommand.name}" is not available in this release.\nAll commands: pi --help`);
  }
  // With words behind it, it begins a prompt.
  if (subcommand?.name === "doctor" && (rest.every((word) => word.startsWith("-")) || asksForHelp(rest))) {
    const { runDoctor } = await import("./cli/doctor/doctor.js");
    const { code, stdout, stderr } = await runDoctor(rest, { cwd, agentDir: getAgentDir() });
    if (stderr !== undefined) printError(stderr);
    if (stdout !== undefined) process.stdout.write(`${stdout}\n`);
    return code;
  }
  const near = nearCommand(argv);
  if (near) {
    return fail(`Error: Unknown command "${argv[0]}".\nDid you mean "pi ${near.name}"? As a prompt: pi -- ${argv[0]}`);
  }

  const { args, advice } = parseCommandLine(argv);
  timed("arguments read");
  for (const [index, { type, message }] of args.diagnostics.entries()) {
    printError(`${type === "error" ? "Error" : "Warning"}: ${message}\n${advice[index]}`);
  }
  if (args.diagnostics.some(({ type }) => type === "error")) return 1;
  const invocation: Invocation = { args, cwd, agentDir: getAgentDir(), extensionFactories };
  const answered = await answerWithoutSession(invocation, (text) => void process.stdout.write(text));
  if (answered !== undefined) return answered;
  const mode = chooseMode(args);
  if (mode === "rpc" && args.fileArgs.length > 0) return fail(rpcFilesText);
  const unsupported = unsupportedOption(args);
  if (unsupported) return fail(`Error: ${unsupported} is not available in this release.`);

  if (mode === "rpc") {
    const { runRpc } = await import("./run-rpc.js");
    return runRpc(invocation);
  }
  // Piped input makes an interactive start a one-shot one, so it is read before the mode is final.
  const stdin = await readPipedStdin();
  if (mode === "interactive" && stdin === undefined) {
    const { runInteractive } = await import("./run-interactive.js");
    return runInteractive(invocation);
  }
  const { runOnce } = await import("./run-once.js");
  return runOnce({ invocation, stdin, mode: mode === "json" ? "json" : "text" });
}

function asksForHelp(words: readonly string[]): boolean {
  return words.includes("--help") || words.includes("-h");
}

function chooseMode(args: Args): Mode {
  if (args.mode === "rpc") return "rpc";
  if (args.mode === "json") return "json";
  return args.print || !process.stdin.isTTY || !process.stdout.isTTY ? "print" : "interactive";
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function fail(text: string): number {
  printError(text);
  return 1;
}
