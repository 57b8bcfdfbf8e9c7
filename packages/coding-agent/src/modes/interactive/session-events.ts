import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AgentSessionEvent } from "../../core/agent-session-events.js";
import type { SessionDiagnostic } from "../../core/session-store/session-file-options.js";
import { printDiagnostic } from "../session-diagnostics.js";
import type { Desk } from "./desk.js";
import { keyText } from "./keys/key-hints.js";
import { cacheMissText } from "./messages/cache-miss.js";
import type { PendingMessages } from "./screen/pending-messages.js";
import type { StreamPacer } from "./screen/stream-pacer.js";
import type { WorkingIndicator } from "./screen/working-indicator.js";

/** What hears of events beside the transcript. */
export interface EventSurroundings {
  indicator: WorkingIndicator;
  pending: PendingMessages;
  pacer: StreamPacer;
  /** The run is over: what was held back until then. */
  settled(): void;
  /** A summary is there, or is not coming. */
  compacted(): void;
}

/** Events of the session, on their way to the screen. A streamed token costs nothing here but a look at its type. */
export function handleSessionEvent(desk: Desk, event: AgentSessionEvent, around: EventSurroundings): void {
  if (desk.transcript.handle(event)) {
    if (event.type === "message_update") {
      around.pacer.request();
      return;
    }
    if (event.type === "message_end") noteCacheMiss(desk, event.message);
    if (event.type === "message_end" || event.type === "tool_execution_end") desk.changed();
    desk.tui.requestRender();
    return;
  }
  const cancel = `(${keyText("app.interrupt")} to cancel)`;
  const { indicator } = around;
  switch (event.type) {
    case "agent_start":
      indicator.working();
      progress(desk, true);
      break;
    case "agent_end":
      if (!event.willRetry) indicator.clear();
      break;
    case "agent_settled":
      indicator.clear();
      progress(desk, false);
      around.settled();
      break;
    case "queue_update":
      around.pending.set(event.steering, event.followUp);
      break;
    case "compaction_start":
      if (event.reason === "manual") indicator.show(`Compacting context... ${cancel}`);
      else if (event.reason === "threshold") indicator.show(`Auto-compacting... ${cancel}`);
      else indicator.show(`Context overflow detected, Auto-compacting... ${cancel}`);
      break;
    case "compaction_end":
      endCompaction(desk, event, around);
      break;
    case "auto_retry_start":
    case "summarization_retry_scheduled": {
      const { attempt, maxAttempts, delayMs } = event;
      indicator.countDown(delayMs, (s) => `Retrying (${attempt}/${maxAttempts}) in ${s}s... ${cancel}`);
      break;
    }
    case "auto_retry_end":
      if (!event.success) indicator.clear();
      break;
    case "summarization_retry_attempt_start":
      indicator.show(
        event.source === "compaction" ? `Compacting context... ${cancel}` : `Summarizing branch... ${cancel}`,
      );
      break;
    case "session_info_changed":
    case "thinking_level_changed":
      break;
    default:
      return;
  }
  desk.changed();
}

function endCompaction(
  desk: Desk,
  event: Extract<AgentSessionEvent, { type: "compaction_end" }>,
  around: EventSurroundings,
): void {
  if (desk.session.isStreaming) around.indicator.working();
  else around.indicator.clear();
  if (event.result) desk.showSession();
  else if (event.aborted) desk.status(event.reason === "manual" ? "Compaction cancelled" : "Auto-compaction cancelled");
  else if (event.errorMessage !== undefined) desk.error(event.errorMessage);
  around.compacted();
}

function noteCacheMiss({ session, transcript }: Desk, message: AgentMessage): void {
  if (message.role !== "assistant" || !session.settingsManager.getShowCacheMissNotices()) return;
  const text = cacheMissText(message, session.messages);
  if (text !== undefined) transcript.notice(text);
}

function progress(desk: Desk, isActive: boolean): void {
  if (desk.display.showTerminalProgress) desk.tui.terminal.setProgress(isActive);
}

/** Says what the session's file meets: on the screen, and below it once that is left. */
export function diagnosticsOn(desk: Desk, isLeft: () => boolean): (diagnostic: SessionDiagnostic) => void {
  return (diagnostic) => {
    if (isLeft()) printDiagnostic(diagnostic);
    else if (diagnostic.type === "error") desk.error(diagnostic.message);
    else desk.warning(diagnostic.message);
  };
}
