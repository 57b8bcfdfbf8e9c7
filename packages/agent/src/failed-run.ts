import { errorText } from "./error-text.js";
import { failedMessage } from "./request.js";
import type { AgentEvent, AgentLoopConfig, AgentMessage } from "./types.js";

/**
 * The events that close a run in which a hook or a listener threw: the failure becomes an assistant message, so that
 * whoever reads the transcript sees it. Source: agent-and-tools.md section A3.
 */
export function failedRunEvents(
  config: Pick<AgentLoopConfig, "model">,
  error: unknown,
  aborted: boolean,
): { message: AgentMessage; events: AgentEvent[] } {
  const message = failedMessage(config, aborted ? "aborted" : "error", errorText(error), [{ type: "text", text: "" }]);
  return {
    message,
    events: [
      { type: "message_start", message },
      { type: "message_end", message },
      { type: "turn_end", message, toolResults: [] },
      { type: "agent_end", messages: [message] },
    ],
  };
}
