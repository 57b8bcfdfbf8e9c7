import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";

/** Everything a session tells its listeners. Source: agent-and-tools.md section A9. */
export type AgentSessionEvent =
  | Exclude<AgentEvent, { type: "agent_end" }>
  | { type: "agent_end"; messages: AgentMessage[]; willRetry: boolean }
  /** Once per prompt: nothing follows by itself. */
  | { type: "agent_settled"; aborted: boolean };

export type AgentSessionEventListener = (event: AgentSessionEvent) => void;
