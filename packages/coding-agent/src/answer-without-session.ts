/** What is answered without a session: `--version`, `--help`, `--export`, `--list-models` and their like. */
import type { Args } from "./cli/args.js";
import type { Invocation } from "./cli/invocation.js";
import { optionSpecs } from "./cli/options.js";
import { printError, takeOverStdout } from "./modes/output.js";
import { timed, timingReport } from "./timing.js";

type Write = (text: string) => void;

export const rpcFilesText =
  'Error: @file arguments are not supported in RPC mode\nSend what is in the file with the "prompt" command.';

/**
 * The exit code, or undefined when nothing of the kind was asked. For whoever names a mode, stdout is the answer's own:
 * extensions that are loaded for it may print. Source: cli-and-config.md sections 1.1, 1.5 and 1.6.
 *
 * @param write to stdout, where it is everybody's
 */
export async function answerWithoutSession(invocation: Invocation, write: Write): Promise<number | undefined> {
  const { args } = invocation;
  if (!args.help && !isAnsweredWithoutHelp(args)) return undefined;
  const taken = args.print || args.mode !== undefined ? takeOverStdout(() => {}) : undefined;
  try {
    return await answer(invocation, taken ? (text) => taken.write(text) : write);
  } finally {
    await taken?.drain();
    taken?.release();
  }
}

async function answer(invocation: Invocation, write: Write): Promise<number | undefined> {
  const { args } = invocation;
  if (args.unknownFlags.size > 0 && isAnsweredWithoutHelp(args)) {
    const { unknownFlagsProblem } = await import("./cli/unknown-flags.js");
    const problem = await unknownFlagsProblem(invocation);
    if (problem !== undefined) printError(`Error: ${problem}`);
  }
  if (args.version) {
    const { VERSION } = await import("./version.js");
    write(`${VERSION}\n`);
    return 0;
  }
  if (args.export !== undefined) {
    const { exportFile } = await import("./cli/export-file.js");
    const { path, problem } = await exportFile(args.export, args.messages[0]);
    if (path === undefined) return fail(`Error: ${problem}`);
    write(`Exported to: ${path}\n`);
    return 0;
  }
  if (args.completion !== undefined) {
    const { completionScript } = await import("./cli/completion/script.js");
    write(completionScript(args.completion));
    return 0;
  }
  if (args.newExtension !== undefined) return makeExtension(args.newExtension, write);
  if (args.mode === "rpc" && args.fileArgs.length > 0) return fail(rpcFilesText);
  if (args.help) {
    const { showHelp } = await import("./cli/show-help.js");
    const { text, problems } = await showHelp(invocation);
    for (const problem of problems) printError(`Error: ${problem}`);
    write(text);
    printTiming("help written");
    return 0;
  }
  const unsupported = unsupportedOption(args);
  if (unsupported) return fail(`Error: ${unsupported} is not available in this release.`);
  const { listModels } = await import("./cli/list-models.js");
  const { text, problems, advice } = await listModels(invocation);
  for (const problem of problems) printError(problem);
  if (advice !== undefined) printError(advice);
  write(`${text}\n`);
  printTiming("models listed");
  return 0;
}

/** The help tells itself which options it does not know: it has looked at the extensions. */
function isAnsweredWithoutHelp(args: Args): boolean {
  const { version, listModels, completion, newExtension } = args;
  return version === true || [args.export, completion, newExtension, !args.help && listModels].some(isGiven);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** Options whose meaning this release cannot honour are refused: ignoring them would surprise. */
export function unsupportedOption(args: Args): string | undefined {
  const values = args as unknown as Record<string, unknown>;
  return optionSpecs.find(({ isPlanned, key }) => isPlanned && values[key] !== undefined)?.long;
}

async function makeExtension(path: string, write: Write): Promise<number> {
  const { newExtension } = await import("./cli/new-extension.js");
  try {
    const { files } = newExtension(path);
    write(`Made ${path}: ${files.join(", ")}\nTry it:  pi -e ${path}\nTest it: cd ${path} && npm test\n`);
    return 0;
  } catch (error) {
    return fail(`Error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function printTiming(what: string): void {
  timed(what);
  const report = timingReport();
  if (report !== undefined) printError(report);
}

function fail(text: string): number {
  printError(text);
  return 1;
}
