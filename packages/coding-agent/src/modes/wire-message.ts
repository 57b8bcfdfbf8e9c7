import type { AgentMessage } from "@earendil-works/pi-agent-core";

/** A message as it crosses the process boundary. Source: protocol.md section 9 (`bashExecution.fullOutputPath`). */
export function forWire(message: AgentMessage): object {
  return message.role === "bashExecution" ? { ...message, fullOutputPath: message.fullOutputPath ?? null } : message;
}
