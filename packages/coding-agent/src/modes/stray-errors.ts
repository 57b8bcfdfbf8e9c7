/** Errors of extensions that nobody waits for: timers, promises left alone. They must not end the process. */
import { dirname } from "node:path";
import type { AgentSessionRuntime } from "../core/agent-session-runtime.js";
import type { ExtensionRunner } from "../core/extensions/runner.js";
import { textOf } from "../core/extensions/running/dispatch.js";
import { killTrackedProcesses } from "../core/process/tracked-processes.js";
import { crashPlace, reportCrash } from "./crash/crash.js";
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
  const tell = strayErrors(() => runtime.session.extensionRunner, runtime.services.agentDir);
  const end = (error: unknown) => {
    killTrackedProcesses();
    const { session, services } = runtime;
    const place = crashPlace(kind, services.agentDir, session, resumeCommand(session.sessionManager));
    printError(reportCrash(error, place));
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
 * Tells errors that nobody caught as errors of the extension they come from.
 * @returns false for an error that is none of an extension
 */
export function strayErrors(
  runner: () => ExtensionRunner,
  agentDir: string,
): (event: StrayEvent, error: unknown) => boolean {
  const sources = { env: process.env, argv: process.argv, agentDir };
  const told = new Set<string>();
  return (event, error) => {
    const extensions = runner().extensions;
    const stack = stackOf(error);
    const culprit = extensionOf(extensions, error);
    const message = textOf(error);
    // Who kept a context of a session that is over may be gone with it.
    if (!culprit && !STALE.test(message) && !(event === "unhandledRejection" && extensions.length > 0)) return false;
    const extensionPath = culprit?.path ?? "<unknown>";
    const key = `${extensionPath}\0${event}\0${message}`;
    if (!told.has(key)) {
      runner().report({
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
export function extensionOf(extensions: ExtensionRunner["extensions"], error: unknown) {
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

/** The file itself, or one beside or below it when it has a folder of its own. */
function isFrom(stack: string, path: string): boolean {
  if (path.startsWith("<")) return false;
  return stack.includes(path) || (/[/\\]index\.[cm]?[jt]s$/.test(path) && stack.includes(dirname(path)));
}
