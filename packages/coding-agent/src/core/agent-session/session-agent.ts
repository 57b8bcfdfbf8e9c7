import { Agent, type ThinkingLevel } from "@earendil-works/pi-agent-core";
import { clampThinkingLevel, type Model } from "@earendil-works/pi-ai";
import type { AgentSessionServices } from "../agent-session-services.js";
import { convertToLlm } from "../messages.js";
import type { SessionManager } from "../session-manager.js";
import { providerOptions } from "./provider-options.js";

export interface SessionAgentOptions {
  services: AgentSessionServices;
  sessionManager: SessionManager;
  model: Model | undefined;
  thinkingLevel: ThinkingLevel;
  /** Called when the messages of the session are read for the first time. */
  onContextRead(): void;
}

/** The agent of a session. Its messages are read when first asked for: opening does not depend on their number. */
export function sessionAgent({ services, sessionManager, model, thinkingLevel, onContextRead }: SessionAgentOptions) {
  const { settingsManager, modelRuntime } = services;
  const { thinkingBudgets, transport } = settingsManager.getSettings();
  return new Agent({
    initialState: {
      ...(model && { model }),
      thinkingLevel: model ? clampThinkingLevel(model, thinkingLevel) : "off",
      get messages() {
        onContextRead();
        return sessionManager.buildSessionContext().messages;
      },
    },
    sessionId: sessionManager.getSessionId(),
    convertToLlm,
    thinkingBudgets,
    transport,
    steeringMode: settingsManager.getSteeringMode(),
    followUpMode: settingsManager.getFollowUpMode(),
    streamFn: (requested, context, request) =>
      modelRuntime.streamSimple(requested, context, { ...providerOptions(settingsManager), ...request }),
  });
}
