/** Extensions of the user may decide about a project. Source: extensions.md section 6 (`project_trust`). */
import type { HandlerDecision } from "../project-trust.js";
import { textOf } from "./running/dispatch.js";
import { SLOW_HANDLER_MS } from "./running/supervision.js";
import { waiting } from "./running/waits.js";
import type { Extension } from "./types/host.js";
import type { ProjectTrustContext, ProjectTrustHandler } from "./types/session-events.js";

/**
 * Asks in load order; the first yes or no counts. Undefined when nobody decides.
 * @param warn told of handlers that fail: they decide nothing
 */
export async function askProjectTrust(
  extensions: readonly Extension[],
  context: ProjectTrustContext,
  warn: (text: string) => void,
): Promise<HandlerDecision | undefined> {
  for (const { path, handlers } of extensions) {
    for (const handler of (handlers.get("project_trust") ?? []) as ProjectTrustHandler[]) {
      try {
        const pending = handler({ type: "project_trust", cwd: context.cwd }, context);
        const decision: unknown = await untilSlow(path, pending, context.hasUI, warn);
        if (decision === SILENT || decision === undefined) continue;
        const fault = decisionFault(decision);
        if (fault !== undefined) {
          warn(`Extension "${path}" project_trust handler returned something else: ${fault}. It decides nothing.`);
          continue;
        }
        const { trusted, remember } = decision as Awaited<ReturnType<ProjectTrustHandler>>;
        if (trusted === "yes" || trusted === "no") return { trusted, remember: remember === true };
      } catch (error) {
        warn(`Extension "${path}" project_trust error: ${textOf(error)}`);
      }
    }
  }
  return undefined;
}

const SILENT = Symbol("silent");

/** Names a handler that does not answer. Where nobody can be asked, it is not waited for any more then. */
async function untilSlow<T>(
  path: string,
  pending: T | Promise<T>,
  mayAsk: boolean,
  warn: (text: string) => void,
): Promise<T | typeof SILENT> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<typeof SILENT>((resolve) => {
    timer = setTimeout(() => {
      warn(`Extension "${path}": The handler of project_trust has not answered for ${SLOW_HANDLER_MS / 1000} s.`);
      if (!mayAsk) resolve(SILENT);
    }, SLOW_HANDLER_MS);
  });
  try {
    const wait = { extensionPath: path, what: "the handler of project_trust" };
    return await waiting(wait, Promise.race([pending, silence]));
  } finally {
    clearTimeout(timer);
  }
}

function decisionFault(decision: unknown): string | undefined {
  if (typeof decision !== "object" || decision === null) {
    return `expected an object, got ${decision === null ? "null" : typeof decision}`;
  }
  const { trusted } = decision as { trusted?: unknown };
  return ["yes", "no", "undecided"].includes(trusted as string) ? undefined : '"trusted" is none of yes, no, undecided';
}

/**
 * What such a handler is given.
 * @param ui asks the user; absent while nobody is there to be asked
 */
export function projectTrustContext(
  cwd: string,
  mode: ProjectTrustContext["mode"],
  say: (line: string) => void,
  ui?: ProjectTrustContext["ui"],
): ProjectTrustContext {
  return {
    cwd,
    mode,
    hasUI: ui !== undefined,
    ui: ui ?? {
      select: async () => undefined,
      confirm: async () => false,
      input: async () => undefined,
      notify: (message) => say(message),
    },
  };
}
