/** Puts the duties of a session together. */
import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import type { AgentSessionEvent } from "../agent-session-events.js";
import type { AgentSessionServices } from "../agent-session-services.js";
import { ExtensionRunner } from "../extensions/runner.js";
import type { LoadExtensionsResult, RegisteredTool, SessionStartEvent } from "../extensions/types.js";
import { ModelRegistry } from "../model-registry.js";
import type { ScopedModel } from "../models/model-scope.js";
import type { SessionManager } from "../session-manager.js";
import type { ToolRegistry } from "../tool-registry.js";
import { ActiveTools } from "./active-tools.js";
import { AutoRetry } from "./auto-retry.js";
import { Boundaries } from "./boundaries.js";
import { ContextMeter } from "./context-usage.js";
import { EntryIds } from "./entry-ids.js";
import { ExtensionHooks } from "./extension-hooks.js";
import { ExtensionHost, type HostedSession } from "./extension-host.js";
import { expandInput } from "./input-expansion.js";
import { MessageQueues } from "./message-queues.js";
import { ModelControl } from "./model-control.js";
import { NestedTools } from "./nested-tools.js";
import { OutsideMessages } from "./outside-messages.js";
import { PromptImages } from "./prompt-images.js";
import { Runs } from "./runs.js";
import { sessionAgent } from "./session-agent.js";
import type { SessionCore } from "./session-core.js";
import { SessionEndedError } from "./session-ended.js";
import { Summaries } from "./summaries.js";
import { TurnEvents } from "./turn-events.js";
import { UserBash } from "./user-bash.js";

export interface AgentSessionOptions {
  services: AgentSessionServices;
  sessionManager: SessionManager;
  extensions: LoadExtensionsResult;
  /** Chooses among the tools there are and those of extensions. */
  selectTools: (fromExtensions: readonly RegisteredTool[]) => ToolRegistry;
  /** Why the session begins. Default: a start. */
  sessionStartEvent?: SessionStartEvent | undefined;
  model: Model | undefined;
  thinkingLevel: ThinkingLevel;
  scopedModels?: readonly ScopedModel[] | undefined;
}

export interface SessionDuties {
  core: SessionCore;
  /** Whether the messages of the session have been read: opening one does not. */
  context: { isRead: boolean };
  models: ModelControl;
  tools: ActiveTools;
  queues: MessageQueues;
  retry: AutoRetry;
  meter: ContextMeter;
  summaries: Summaries;
  bash: UserBash;
  runs: Runs;
  messages: OutsideMessages;
  host: ExtensionHost;
  /** Puts other extensions in the place of those there are. */
  useExtensions(loaded: LoadExtensionsResult): void;
}

/**
 * @param session what extensions may ask of
 * @param emit tells the listeners
 */
export function assembleDuties(
  options: AgentSessionOptions,
  session: HostedSession,
  emit: (event: AgentSessionEvent) => void,
): SessionDuties {
  const { services, sessionManager, model } = options;
  const context = { isRead: false };
  const entryIds = new EntryIds(sessionManager);
  const agent = sessionAgent({
    ...options,
    onContextRead: () => {
      context.isRead = true;
    },
  });
  let extensions = runnerOf(options.extensions, options);
  let hasEnded = false;
  const core: SessionCore = {
    agent,
    sessionManager,
    services,
    get extensions() {
      return extensions;
    },
    get model() {
      return session.model;
    },
    claim() {
      core.assertOpen();
      if (runs.isBusy) sessionManager.prepareToAppend();
      else if (sessionManager.followOthers()) {
        if (context.isRead) agent.state.messages = sessionManager.buildSessionContext().messages;
        session.onContextReplaced?.();
      }
    },
    assertOpen() {
      if (hasEnded) throw new SessionEndedError();
    },
    end() {
      hasEnded = true;
    },
    emit,
    entryIdOf: (message) => entryIds.of(message),
  };
  const images = new PromptImages(services.settingsManager, () => session.model);
  const models = new ModelControl(core, options.scopedModels ?? [], model !== undefined);
  const tools = new ActiveTools(core, options.selectTools);
  const queues = new MessageQueues(agent, images, emit);
  const retry = new AutoRetry(core);
  const meter = new ContextMeter(sessionManager);
  const summaries = new Summaries(core, meter);
  const bash = new UserBash(core, () => runs.isBusy);
  const hooks = new ExtensionHooks(core, tools, images);
  const nested = new NestedTools(core, tools, hooks);
  const boundaries = new Boundaries(core);
  const runs: Runs = new Runs(core, {
    queues,
    images,
    tools,
    retry,
    summaries,
    bash,
    hooks,
    boundaries,
    flushTurn: () => turns.flush(),
    expand: (text) =>
      expandInput(text, {
        skills: services.resources.skills,
        prompts: services.resourceLoader.getPrompts().prompts,
      }),
  });
  const turns: TurnEvents = new TurnEvents(core, {
    entryIds,
    queues,
    tools,
    retry,
    summaries,
    boundaries,
    nested,
    runs,
  });
  const messages = new OutsideMessages(core, runs, turns);
  const host = new ExtensionHost(core, session, { tools, nested, messages });
  const join = ({ runtime }: LoadExtensionsResult) => {
    runtime.onProviderChange = () => models.refresh();
    extensions.setRunSignal(() => runs.signal);
    host.join();
  };
  join(options.extensions);
  return {
    core,
    context,
    models,
    tools,
    queues,
    retry,
    meter,
    summaries,
    bash,
    runs,
    messages,
    host,
    useExtensions(loaded) {
      const before = extensions;
      extensions = runnerOf(loaded, options);
      before.replaceBy(extensions);
      tools.refresh();
      join(loaded);
    },
  };
}

function runnerOf(
  { extensions, runtime }: LoadExtensionsResult,
  { services, sessionManager }: Pick<AgentSessionOptions, "services" | "sessionManager">,
): ExtensionRunner {
  const models = new ModelRegistry(services.modelRuntime, () => runtime.providers);
  return new ExtensionRunner(extensions, runtime, services.cwd, sessionManager, models);
}
