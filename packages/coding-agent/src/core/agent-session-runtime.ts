import type { AgentSession } from "./agent-session.js";
import type { AgentSessionRuntimeDiagnostic, AgentSessionServices } from "./agent-session-services.js";
import type {
  ExtensionCommandContextActions,
  ReplacedSessionContext,
  SessionBeforeSwitchEvent,
  SessionShutdownEvent,
  SessionStartEvent,
  SessionStartReason,
} from "./extensions/types.js";
import { clonedManager, type ForkPosition, forkedManager } from "./fork-session.js";
import { importedManager } from "./import-session.js";
import { assertSessionCwd } from "./session-cwd.js";
import { SessionManager } from "./session-manager.js";
import { resolveUserPath } from "./session-store/paths.js";
import { SessionTurns } from "./session-turns.js";
import { statIfExists } from "./storage/files.js";
import { assertSaved } from "./unsaved-entries.js";

export interface CreateRuntimeOptions {
  cwd: string;
  agentDir: string;
  sessionManager: SessionManager;
  sessionStartEvent?: SessionStartEvent | undefined;
}

export interface CreateAgentSessionRuntimeResult {
  session: AgentSession;
  services: AgentSessionServices;
  diagnostics?: readonly AgentSessionRuntimeDiagnostic[] | undefined;
  modelFallbackMessage?: string | undefined;
}

/** Makes a session with services for its directory: called at the start and for every replacement. */
export type CreateAgentSessionRuntimeFactory = (
  options: CreateRuntimeOptions,
) => Promise<CreateAgentSessionRuntimeResult>;

interface WithSession {
  /** Goes on in the new session, once its extensions have heard of it. */
  withSession?: ((ctx: ReplacedSessionContext) => void | Promise<void>) | undefined;
}

export interface NewSessionOptions extends WithSession {
  parentSession?: string | undefined;
  /** Puts first entries into the new session. */
  setup?: ((sessionManager: SessionManager) => void | Promise<void>) | undefined;
}

export interface SwitchSessionOptions extends WithSession {
  /** Runs there, whatever the session's header says. */
  cwdOverride?: string | undefined;
  /** Only look at it: another process may go on writing it. Default false. */
  readOnly?: boolean | undefined;
}

interface Replacement extends WithSession {
  reason: Exclude<SessionStartReason, "startup" | "reload">;
  setup?: NewSessionOptions["setup"];
}

export interface ForkOptions extends WithSession {
  /** `before` a user message (default), or `at` an entry, which is kept. */
  position?: ForkPosition | undefined;
}

export interface ReplaceResult {
  cancelled: boolean;
}

/** A runtime whose first session the factory makes. */
export async function createAgentSessionRuntime(
  factory: CreateAgentSessionRuntimeFactory,
  options: CreateRuntimeOptions,
): Promise<AgentSessionRuntime> {
  return new AgentSessionRuntime(factory, options.agentDir, await factory(options));
}

/**
 * Owns the current session and the services behind it; what a mode drives. A replacement swaps both whole: until the
 * new session is there, the old one stays. Listeners of the old session hear nothing of the new one.
 */
export class AgentSessionRuntime {
  readonly #factory: CreateAgentSessionRuntimeFactory;
  readonly #agentDir: string;
  #current: CreateAgentSessionRuntimeResult;
  #unreported: AgentSessionRuntimeDiagnostic[];
  #rebind: ((session: AgentSession) => void | Promise<void>) | undefined;
  #beforeInvalidate: (() => void) | undefined;
  readonly #turns = new SessionTurns();
  #disposed: Promise<void> | undefined;

  constructor(factory: CreateAgentSessionRuntimeFactory, agentDir: string, first: CreateAgentSessionRuntimeResult) {
    this.#factory = factory;
    this.#agentDir = agentDir;
    this.#current = first;
    this.#unreported = [...this.diagnostics];
  }

  get session(): AgentSession {
    return this.#current.session;
  }

  get services(): AgentSessionServices {
    return this.#current.services;
  }

  get modelFallbackMessage(): string | undefined {
    return this.#current.modelFallbackMessage;
  }

  get cwd(): string {
    return this.services.cwd;
  }

  get diagnostics(): readonly AgentSessionRuntimeDiagnostic[] {
    return this.#current.diagnostics ?? this.services.diagnostics;
  }

  /** Problems that nobody has shown yet. */
  takeUnreportedDiagnostics(): AgentSessionRuntimeDiagnostic[] {
    return this.#unreported.splice(0);
  }

  /** Called with every new session, before anything happens in it. */
  setRebindSession(rebind?: (session: AgentSession) => void | Promise<void>): void {
    this.#rebind = rebind;
  }

  /** Called before a session becomes useless. */
  setBeforeSessionInvalidate(callback?: () => void): void {
    this.#beforeInvalidate = callback;
  }

  /** Begins a session in the same directory. One in memory is followed by one in memory. */
  async newSession({ parentSession, setup, withSession }: NewSessionOptions = {}): Promise<ReplaceResult> {
    if (await this.#isSwitchCancelled({ reason: "new" })) return { cancelled: true };
    return this.#replace({ reason: "new", setup, withSession }, () => {
      const old = this.session.sessionManager;
      assertSaved(old, "begin another session");
      const fresh = { ...(parentSession !== undefined && { parentSession }) };
      return old.isPersisted()
        ? SessionManager.create(old.getCwd(), old.usesDefaultSessionDir() ? undefined : old.getSessionDir(), fresh)
        : SessionManager.inMemory(old.getCwd(), fresh);
    });
  }

  /**
   * Goes to another session file. One that does not exist yet begins with the first message.
   * @throws for a file that is no session, and when the session's directory is gone: the old session stays then
   */
  async switchSession(
    path: string,
    { cwdOverride, withSession, readOnly = false }: SwitchSessionOptions = {},
  ): Promise<ReplaceResult> {
    if (await this.#isSwitchCancelled({ reason: "resume", targetSessionFile: path })) return { cancelled: true };
    return this.#replace({ reason: "resume", withSession }, async () => {
      assertSaved(this.session.sessionManager, "go to another session");
      await this.#completeIfOpen(path);
      const manager = SessionManager.open(path, undefined, cwdOverride, { readOnly });
      assertSessionCwd(manager, this.cwd);
      if (!readOnly) manager.assertFree();
      return manager;
    });
  }

  /**
   * Copies a session file into the current session folder and goes to it.
   * @throws SessionImportFileNotFoundError, and as `switchSession`
   */
  async importFromJsonl(path: string, cwdOverride?: string): Promise<ReplaceResult> {
    if (await this.#isSwitchCancelled({ reason: "resume", targetSessionFile: path })) return { cancelled: true };
    return this.#replace({ reason: "resume" }, async () => {
      assertSaved(this.session.sessionManager, "import a session");
      await this.#completeIfOpen(path);
      return importedManager(path, this.session.sessionManager.getSessionDir(), cwdOverride, this.cwd);
    });
  }

  /**
   * Begins a session with the history up to an entry. The text of a user message that was selected comes back.
   * @throws for an entry one cannot fork at, and for a session that is not on disk yet
   */
  async fork(
    entryId: string,
    { position = "before", withSession }: ForkOptions = {},
  ): Promise<ReplaceResult & { selectedText?: string }> {
    if (await this.#isForkCancelled(entryId, position)) return { cancelled: true };
    let selectedText: string | undefined;
    const replaced = await this.#replace({ reason: "fork", withSession }, () => {
      const forked = forkedManager(this.session.sessionManager, entryId, position);
      selectedText = forked.selectedText;
      return forked.manager;
    });
    return { ...replaced, ...(selectedText !== undefined && { selectedText }) };
  }

  /**
   * Begins a session with the whole active branch, a run's aborted answer and what other processes added included.
   * @throws for a session without entries, and for one that is not on disk yet
   */
  async clone({ withSession }: WithSession = {}): Promise<ReplaceResult> {
    const leafId = this.session.sessionManager.getLeafId();
    if (leafId === null) throw new Error("Cannot clone session: no current entry selected");
    if (await this.#isForkCancelled(leafId, "at")) return { cancelled: true };
    return this.#replace({ reason: "fork", withSession }, async () => {
      await this.session.abort();
      return clonedManager(this.session.sessionManager);
    });
  }

  /** What commands of extensions do to sessions. The mode hands it to them. */
  commandContextActions(): ExtensionCommandContextActions {
    return {
      waitForIdle: () => this.session.waitForIdle(),
      newSession: (options) => this.newSession(options),
      fork: async (entryId, options) => {
        const { cancelled } = await this.fork(entryId, options);
        return { cancelled };
      },
      navigateTree: async (targetId, options) => {
        const { cancelled } = await this.session.navigateTree(targetId, options);
        return { cancelled };
      },
      switchSession: (path, options) => this.switchSession(path, options),
      reload: () => this.session.reload(),
    };
  }

  /** Aborts the run, waits for its results to be stored, and ends the session; once. Nothing follows it. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    await this.#turns.end();
    await this.#endSession({ type: "session_shutdown", reason: "quit" });
    // A renewed token that is not stored is lost for good.
    await this.services.modelRuntime.settleCredentialWrites();
    await this.services.settingsManager.flush();
  }

  async #isSwitchCancelled(asked: Omit<SessionBeforeSwitchEvent, "type">): Promise<boolean> {
    const { extensionRunner } = this.session;
    if (!extensionRunner.hasHandlers("session_before_switch")) return false;
    const answer = await extensionRunner.emit<"session_before_switch">({ type: "session_before_switch", ...asked });
    return answer?.cancel === true;
  }

  async #isForkCancelled(entryId: string, position: ForkPosition): Promise<boolean> {
    const { extensionRunner } = this.session;
    if (!extensionRunner.hasHandlers("session_before_fork")) return false;
    const asked = { type: "session_before_fork", entryId, position } as const;
    return (await extensionRunner.emit<"session_before_fork">(asked))?.cancel === true;
  }

  /** What is about to be read may be what the run still writes: its results are stored first. */
  async #completeIfOpen(path: string): Promise<void> {
    const { sessionFile } = this.session;
    const open = sessionFile === undefined ? undefined : statIfExists(sessionFile);
    const wanted = open && statIfExists(resolveUserPath(path));
    if (wanted && wanted.ino === open.ino && wanted.dev === open.dev) await this.session.abort();
  }

  /** @param open makes or opens what the new session is stored in; what it throws leaves the old session as it is */
  async #replace(
    { reason, setup, withSession }: Replacement,
    open: () => SessionManager | Promise<SessionManager>,
  ): Promise<ReplaceResult> {
    const session = await this.#turns.take(async (isMade) => {
      const sessionManager = await open();
      const previousSessionFile = this.session.sessionFile;
      const targetSessionFile = sessionManager.getSessionFile();
      await this.#endSession({ type: "session_shutdown", reason, targetSessionFile });
      this.#current = await this.#factory({
        cwd: sessionManager.getCwd(),
        agentDir: this.#agentDir,
        sessionManager,
        sessionStartEvent: { type: "session_start", reason, previousSessionFile },
      });
      this.#unreported.push(...this.diagnostics);
      isMade();
      if (setup) {
        await setup(sessionManager);
        this.session.refreshContext();
      }
      await this.#rebind?.(this.session);
      return this.session;
    });
    // Not in its turn: it may go on to yet another session.
    await withSession?.(session.createReplacedSessionContext());
    return { cancelled: false };
  }

  async #endSession(event: SessionShutdownEvent): Promise<void> {
    const { session } = this;
    await session.abort();
    await session.endExtensions(event);
    this.#beforeInvalidate?.();
    session.dispose();
  }
}
