/** Every event with what its handlers may return, and nothing twice: the other lists follow from this one. */
import type * as Agent from "./agent-events.js";
import type { ExtensionContext } from "./context.js";
import type * as Session from "./session-events.js";
import type { ProjectTrustHandler } from "./session-events.js";
import type * as Tools from "./tool-events.js";

/** Event name -> [event, result]. `project_trust` stands apart: there is no session yet. */
export interface ExtensionEventMap {
  session_start: [Session.SessionStartEvent, undefined];
  resources_discover: [Session.ResourcesDiscoverEvent, Session.ResourcesDiscoverResult];
  session_info_changed: [Session.SessionInfoChangedEvent, undefined];
  session_before_switch: [Session.SessionBeforeSwitchEvent, Session.SessionBeforeSwitchResult];
  session_before_fork: [Session.SessionBeforeForkEvent, Session.SessionBeforeForkResult];
  session_before_compact: [Session.SessionBeforeCompactEvent, Session.SessionBeforeCompactResult];
  session_compact: [Session.SessionCompactEvent, undefined];
  session_compact_failed: [Session.SessionCompactFailedEvent, undefined];
  session_before_tree: [Session.SessionBeforeTreeEvent, Session.SessionBeforeTreeResult];
  session_tree: [Session.SessionTreeEvent, undefined];
  session_shutdown: [Session.SessionShutdownEvent, undefined];
  input: [Agent.InputEvent, Agent.InputEventResult];
  before_agent_start: [Agent.BeforeAgentStartEvent, Agent.BeforeAgentStartEventResult];
  agent_start: [Agent.AgentStartEvent, undefined];
  agent_end: [Agent.AgentEndEvent, undefined];
  agent_before_settle: [Agent.AgentBeforeSettleEvent, Agent.AgentBeforeSettleEventResult];
  agent_settled: [Agent.AgentSettledEvent, undefined];
  context: [Agent.ContextEvent, Agent.ContextEventResult];
  context_with_system: [Agent.ContextWithSystemEvent, Agent.ContextEventResult];
  before_provider_headers: [Agent.BeforeProviderHeadersEvent, undefined];
  before_provider_request: [Agent.BeforeProviderRequestEvent, Agent.BeforeProviderRequestEventResult];
  after_provider_response: [Agent.AfterProviderResponseEvent, undefined];
  provider_stream_event: [Agent.ProviderStreamEvent, undefined];
  turn_start: [Agent.TurnStartEvent, undefined];
  turn_end: [Agent.TurnEndEvent, Agent.TurnEndEventResult];
  message_start: [Agent.MessageStartEvent, undefined];
  message_update: [Agent.MessageUpdateEvent, undefined];
  message_end: [Agent.MessageEndEvent, Agent.MessageEndEventResult];
  tool_execution_start: [Tools.ToolExecutionStartEvent, undefined];
  tool_execution_update: [Tools.ToolExecutionUpdateEvent, undefined];
  tool_execution_end: [Tools.ToolExecutionEndEvent, undefined];
  tool_call: [Tools.ToolCallEvent, Tools.ToolCallEventResult];
  tool_result: [Tools.ToolResultEvent, Tools.ToolResultEventResult];
  model_select: [Agent.ModelSelectEvent, undefined];
  thinking_level_select: [Agent.ThinkingLevelSelectEvent, undefined];
  user_bash: [Tools.UserBashEvent, Tools.UserBashEventResult];
  ui_prompt_start: [Agent.UIPromptStartEvent, undefined];
  ui_prompt_end: [Agent.UIPromptEndEvent, undefined];
  cache_warming_decision: [Agent.CacheWarmingDecisionEvent, Agent.CacheWarmingDecisionEventResult];
  mcp_servers_change: [Agent.McpServersChangeEvent, undefined];
}

export type ExtensionEventName = keyof ExtensionEventMap;
export type ExtensionEventOf<Name extends ExtensionEventName> = ExtensionEventMap[Name][0];
export type ExtensionResultOf<Name extends ExtensionEventName> = ExtensionEventMap[Name][1];
export type ExtensionEvent = Session.ProjectTrustEvent | ExtensionEventOf<ExtensionEventName>;

export type ExtensionHandler<E, R = undefined> = (
  event: E,
  ctx: ExtensionContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: handlers that return nothing are part of the contract
) => R | void | Promise<R | void>;

/** The handler of each event. Looked up by name, so that what handlers return is understood word by word. */
export type ExtensionHandlers = {
  [Name in ExtensionEventName]: ExtensionHandler<ExtensionEventOf<Name>, ExtensionResultOf<Name>>;
} & { project_trust: ProjectTrustHandler };
