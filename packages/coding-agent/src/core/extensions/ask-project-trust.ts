/** Extensions of the user may decide about a project. Source: extensions.md section 6 (`project_trust`). */
import type { HandlerDecision } from "../project-trust.js";
import { textOf } from "./running/dispatch.js";
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
        const decision = await handler({ type: "project_trust", cwd: context.cwd }, context);
        const { trusted } = decision ?? {};
        if (trusted === "yes" || trusted === "no") return { trusted, remember: decision.remember === true };
      } catch (error) {
        warn(`Extension "${path}" project_trust error: ${textOf(error)}`);
      }
    }
  }
  return undefined;
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
