/** Errors of extensions that nobody waits for: timers, promises left alone. They must not end the process. */
import { dirname, join, sep } from "node:path";
import { getAgentDir } from "../config.js";
import type { AgentSessionRuntime } from "../core/agent-session-runtime.js";
import { textOf } from "../core/extensions/running/dispatch.js";
import { killTrackedProcesses } from "../core/process/tracked-processes.js";
import { getPackageDir } from "../core/resources/product-docs.js";
import { type CrashPlace, crashPlace, reportCrash } from "./crash/crash.js";
import { withoutSecrets } from "./crash/without-secrets.js";
import { printError } from "./output.js";
import { resumeCommand } from "./resume-command.js";

type StrayEvent = "unhandledRejection" | "uncaughtException";

const STALE = /extension ctx is stale/;

/**
 * From now on such errors are told as errors of the extension they come from. Others are a crash: a report is stored, and
 * the process ends with exit code 1.
 * @param kind of mode, for the report
 * @returns a function that ends it
 */
export function catchStrayErrors(runtime: AgentSessionRuntime, kind: string): () => void {
  return onStrayErrors(strayErrors(runtime), () => {
    const { session, services } = runtime;
    return crashPlace(kind, services.agentDir, session, resumeCommand(session.sessionManager));
  });
}

/** The same while extensions load, for a start that only prints. */
export function catchStartErrors({ cwd, agentDir }: { cwd: string; agentDir: string }, kind: string): () => void {
  return onStrayErrors(
    strayStartErrors((text) => printError(`Error: ${text}`)),
    () => ({ agentDir, cwd, kind }),
  );
}

function onStrayErrors(tell: (event: StrayEvent, error: unknown) => boolean, place: () => CrashPlace): () => void {
  const end = (error: unknown) => {
    killTrackedProcesses();
    printError(reportCrash(error, place()));
    process.exit(1);
  };
  const onRejection = (error: unknown) => void (tell("unhandledRejection", error) || end(error));
  const onException = (error: unknown) => void (tell("uncaughtException", error) || end(error));
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return () => {
    process.removeListener("unhandledRejection", onRejection);
    process.removeListener("uncaughtException", onException);
  };
}

/**
 * Tells errors from before there is a session: of a file that is none of the program's own, or thrown without a trace,
 * which the program itself never does.
 * @returns false for an error of the program
 */
export function strayStartErrors(say: (text: string) => void): (event: StrayEvent, error: unknown) => boolean {
  const told = new Set<string>();
  return (_event, error) => {
    const file = foreignFile(stackOf(error));
    if (file === undefined && error instanceof Error) return false;
    const what = file === undefined ? "An extension" : `Extension "${file}"`;
    const text = `${what} did not catch an error: ${withoutSecrets(textOf(error), secretSources())}`;
    if (!told.has(text)) say(text);
    told.add(text);
    return true;
  };
}

/**
 * Tells errors that nobody caught as errors of the extension they come from.
 * @returns false for an error that is none of an extension
 */
export function strayErrors(runtime: AgentSessionRuntime): (event: StrayEvent, error: unknown) => boolean {
  const sources = secretSources(runtime.services.agentDir);
  const told = new Set<string>();
  return (event, error) => {
    const runner = runtime.session.extensionRunner;
    // Those that failed to load may have left timers behind.
    const failed = runtime.services.resourceLoader
      .getExtensions()
      .errors.map(({ path }) => ({ path, resolvedPath: path }));
    const extensions = [...runner.extensions, ...failed];
    const stack = stackOf(error);
    const culprit = extensionOf(extensions, error);
    const message = textOf(error);
    const cannotBeOurs = extensions.length > 0 && (event === "unhandledRejection" || !isOwn(stack));
    // Who kept a context of a session that is over may be gone with it.
    if (!culprit && !STALE.test(message) && !cannotBeOurs) return false;
    // Where there is only one, it is that one.
    const extensionPath = (culprit ?? (extensions.length === 1 ? extensions[0] : undefined))?.path ?? "<unknown>";
    const key = `${extensionPath}\0${event}\0${message}`;
    if (!told.has(key)) {
      runner.report({
        extensionPath,
        event,
        error: withoutSecrets(message, sources),
        stack: withoutSecrets(stack, sources),
      });
    }
    told.add(key);
    return true;
  };
}

/** The extension that an error comes from, by its stack. */
export function extensionOf<Known extends { resolvedPath: string }>(extensions: readonly Known[], error: unknown) {
  const stack = stackOf(error);
  return extensions.find(({ resolvedPath }) => isFrom(stack, resolvedPath));
}

function stackOf(error: unknown): string {
  try {
    return (error instanceof Error && error.stack) || "";
  } catch {
    return "";
  }
}

function secretSources(agentDir = getAgentDir()) {
  return { env: process.env, argv: process.argv, agentDir };
}

/** Folders of our packages: beside this one, or below it when it is installed. */
const ownFolders = ["ai", "agent", "tui", "pi-ai", "pi-agent-core", "pi-tui"]
  .map((name) => join(dirname(getPackageDir()), name))
  .concat(getPackageDir())
  .flatMap((folder) => [join(folder, "src") + sep, join(folder, "dist") + sep])
  .concat(join(getPackageDir(), "node_modules", "@earendil-works") + sep);

function isOwn(stack: string): boolean {
  return ownFolders.some((folder) => stack.includes(folder));
}

const FRAME_FILE = /(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^():\n]+):\d+:\d+/g;

/** The file that a stack begins in, Node's own aside, unless it is one of the program. */
function foreignFile(stack: string): string | undefined {
  const [first] = [...stack.matchAll(FRAME_FILE)].map(([, file = ""]) => file);
  return first === undefined || isOwn(first) || /[/\\]node_modules[/\\]jiti[/\\]/.test(first) ? undefined : first;
}

/** The file itself, or one beside or below it when it has a folder of its own. */
function isFrom(stack: string, path: string): boolean {
  if (path.startsWith("<")) return false;
  return stack.includes(path) || (/[/\\]index\.[cm]?[jt]s$/.test(path) && stack.includes(dirname(path)));
}
