import type { Agent, AgentMessage } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import type { AgentSessionEvent } from "../agent-session-events.js";
import type { AgentSessionServices } from "../agent-session-services.js";
import type { ExtensionRunner } from "../extensions/runner.js";
import type { SessionManager } from "../session-manager.js";

/** What the duties of one session share. */
export interface SessionCore {
  readonly agent: Agent;
  readonly sessionManager: SessionManager;
  readonly services: AgentSessionServices;
  readonly extensions: ExtensionRunner;
  /** Undefined when none is chosen. */
  readonly model: Model | undefined;
  /**
   * Before something changes the session by the user's wish: takes the right to write it. While nothing runs, the
   * conversation goes on behind what other processes added meanwhile.
   * @throws SessionInUseError, SessionReadOnlyError, SessionEndedError; nothing has happened then
   */
  claim(): void;
  /** @throws SessionEndedError after `end()` */
  assertOpen(): void;
  /** Nothing is begun in the session any more. */
  end(): void;
  /** Tells the listeners. */
  emit(event: AgentSessionEvent): void;
  /** The entry a message of the current context is stored in. */
  entryIdOf(message: AgentMessage): string | undefined;
}
