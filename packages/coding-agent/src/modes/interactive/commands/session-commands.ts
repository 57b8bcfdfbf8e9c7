import { askAboutMissingCwd } from "../../../core/session-cwd.js";
import { SessionManager } from "../../../core/session-manager.js";
import { MissingSessionCwdError, SessionInUseError } from "../../../core/session-store/session-errors.js";
import type { Desk } from "../desk.js";
import { resolveSessionInUse } from "../lifecycle/session-in-use.js";
import { harmless } from "../messages/plain-text.js";
import { promptLine } from "../messages/prompt-line.js";
import { confirm } from "../selectors/ask.js";
import { choose, chooseOption } from "../selectors/choose.js";
import { selectSession } from "../selectors/session-selector.js";
import { currentTheme } from "../theme/current.js";
import { sessionText } from "./session-text.js";
import { navigateInTree } from "./tree-navigation.js";
import type { BuiltinCommand } from "./types.js";

export const sessionCommands: readonly BuiltinCommand[] = [
  {
    name: "new",
    description: "Begin a new session",
    async run(_args, desk) {
      await desk.runtime.newSession();
      desk.status("New session started");
    },
  },
  {
    name: "resume",
    description: "Go to another session",
    async run(_args, desk) {
      const { sessionManager } = desk.session;
      const path = await selectSession({
        slot: desk.slot,
        tui: desk.tui,
        cwd: sessionManager.getCwd(),
        sessionDir: sessionManager.usesDefaultSessionDir() ? undefined : sessionManager.getSessionDir() || undefined,
        currentPath: sessionManager.getSessionFile(),
        onError: (text) => desk.error(text),
      });
      if (path !== undefined && path !== sessionManager.getSessionFile()) await resume(desk, path);
    },
  },
  {
    name: "fork",
    description: "Begin a new session from an earlier message",
    async run(_args, desk) {
      const prompts = desk.session.getUserMessagesForForking();
      if (prompts.length === 0) {
        desk.status("No messages to fork from");
        return;
      }
      const chosen = await choose(desk.slot, {
        items: prompts,
        title: () => currentTheme().style("Fork from", { fg: "accent", bold: true }),
        searchText: ({ text }) => text,
        selected: (prompt) => prompt === prompts.at(-1),
        row: ({ text }, isSelected) => {
          const line = harmless(promptLine(text)).replace(/\s+/g, " ");
          return isSelected ? currentTheme().style(`→ ${line}`, { fg: "accent", bold: true }) : `  ${line}`;
        },
      });
      if (!chosen) return;
      const { selectedText } = await desk.runtime.fork(chosen.entryId);
      if (selectedText !== undefined) desk.editor.setText(selectedText);
      desk.status("Forked to new session");
    },
  },
  {
    name: "clone",
    description: "Go on in a copy of the session",
    async run(_args, desk) {
      const leafId = desk.session.sessionManager.getLeafId();
      if (leafId === null) {
        desk.status("Nothing to clone yet");
        return;
      }
      await desk.runtime.fork(leafId, { position: "at" });
      desk.status("Cloned to new session");
    },
  },
  {
    name: "tree",
    description: "Go to another place of the session",
    run: (_args, desk) => navigateInTree(desk),
  },
  {
    name: "name",
    description: "Name the session",
    argumentHint: "[name]",
    run(args, desk) {
      const { session } = desk;
      if (args !== "") {
        session.setSessionName(args);
        desk.status(`Session name set: ${args}`);
      } else if (session.sessionName === undefined) desk.warning("Usage: /name <name>");
      else desk.status(`Session name: ${session.sessionName}`);
      desk.changed();
    },
  },
  {
    name: "session",
    description: "What there is to know about the session",
    run(_args, desk) {
      desk.status(sessionText(desk.session));
    },
  },
  {
    name: "import",
    description: "Copy a session file here and go on with it",
    argumentHint: "<path.jsonl>",
    async run(args, desk) {
      const path = unquoted(args);
      if (path === "") {
        desk.warning("Usage: /import <path.jsonl>");
        return;
      }
      if (!(await confirm(desk.slot, "Import session?", `The session on screen is left for ${path}`))) return;
      await desk.runtime.importFromJsonl(path);
      desk.status(`Session imported from: ${path}`);
    },
  },
];

/** Goes to a session; what can be done with one that another process writes is asked. */
async function resume(desk: Desk, path: string): Promise<void> {
  try {
    await desk.runtime.switchSession(path);
  } catch (error) {
    if (!(await resumeInstead(desk, path, error))) return;
  }
  desk.status("Resumed session");
}

/** @throws the error, when nothing can be done about it */
async function resumeInstead(desk: Desk, path: string, error: unknown): Promise<boolean> {
  if (error instanceof MissingSessionCwdError) return goOnHere(desk, path, error);
  if (error instanceof SessionInUseError) return goToInstead(desk, error);
  throw error;
}

/** Asks what to do with a session whose directory is gone, and does it. Returns whether that is anything. */
async function goOnHere(desk: Desk, path: string, error: MissingSessionCwdError): Promise<boolean> {
  const { cwd } = desk.runtime;
  const choice = await askAboutMissingCwd(error, (title, labels) =>
    chooseOption(
      desk.slot,
      title,
      labels.map((label) => ({ value: label, label })),
    ),
  );
  if (choice === "continue") await desk.runtime.switchSession(path, { cwdOverride: cwd });
  const copy = choice === "fork" ? SessionManager.forkFrom(path, cwd).getSessionFile() : undefined;
  if (copy !== undefined) await desk.runtime.switchSession(copy);
  return choice !== undefined;
}

/** Asks what to do with a session that another process writes, and does it. Returns whether that is anything. */
export async function goToInstead(desk: Desk, error: SessionInUseError): Promise<boolean> {
  const choice = await resolveSessionInUse(error, desk.slot, desk.runtime.cwd, undefined);
  if (choice) await desk.runtime.switchSession(choice.file, { readOnly: choice.readOnly });
  return choice !== undefined;
}

export function unquoted(text: string): string {
  return (
    /^"(.*)"$|^'(.*)'$/
      .exec(text)
      ?.slice(1)
      .find((part) => part !== undefined) ?? text
  );
}
