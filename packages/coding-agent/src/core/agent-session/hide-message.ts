import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { unlessUnsaved } from "../session-store/session-errors.js";
import type { SessionCore } from "./session-core.js";

/** Takes messages out of what the model sees. The session's history keeps them. */
export function hideFromContext(core: SessionCore, messages: readonly AgentMessage[]): void {
  const { agent, sessionManager } = core;
  for (const message of messages) {
    const targetId = core.entryIdOf(message);
    if (targetId === undefined) continue;
    unlessUnsaved(() => sessionManager.appendContextEdit(targetId, null));
    const entry = sessionManager.getLeafEntry();
    if (entry) core.emit({ type: "entry_appended", entry });
  }
  const hidden = new Set(messages);
  agent.state.messages = agent.state.messages.filter((message) => !hidden.has(message));
}
