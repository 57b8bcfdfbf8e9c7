import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { SessionManager } from "../session-manager.js";

/** Entries looked at for a message of an earlier process: what is asked about is at the end of the conversation. */
const LOOK_BACK = 100;

/** Which entry a message of the context is stored in. */
export class EntryIds {
  readonly #sessionManager: SessionManager;
  readonly #ids = new WeakMap<AgentMessage, string>();

  constructor(sessionManager: SessionManager) {
    this.#sessionManager = sessionManager;
  }

  set(message: AgentMessage, entryId: string): void {
    this.#ids.set(message, entryId);
  }

  of(message: AgentMessage): string | undefined {
    return this.#ids.get(message) ?? this.#find(message);
  }

  #find(message: AgentMessage): string | undefined {
    let id = this.#sessionManager.getLeafId();
    for (let looked = 0; id !== null && looked < LOOK_BACK; looked++) {
      const entry = this.#sessionManager.getEntry(id);
      if (entry?.type === "message" && isSame(entry.message, message)) return entry.id;
      id = entry?.parentId ?? null;
    }
    return undefined;
  }
}

function isSame(stored: AgentMessage | undefined, message: AgentMessage): boolean {
  return stored?.role === message.role && stored.timestamp === message.timestamp;
}
