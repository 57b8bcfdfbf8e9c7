export { unanswered, withinGrace } from "./abort-grace.js";
export { Agent } from "./agent.js";
export { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from "./agent-loop.js";
export { setDefaultStreamFn } from "./default-stream-fn.js";
export {
  DEFAULT_AGENT_IDENTITY,
  type ProxyAssistantMessageEvent,
  type ProxyStreamOptions,
  streamProxy,
} from "./proxy.js";
export { runToolCall } from "./tool-call.js";
export * from "./types.js";
