/** The objects that handlers, commands and tools are given: getters all the way. Source: extensions.md section 7. */

import type { ModelRegistry } from "../../model-registry.js";
import type { SessionManager } from "../../session-manager.js";
import { assertFresh } from "../runtime.js";
import type {
  ExtensionCommandContext,
  ExtensionContext,
  ExtensionMode,
  ExtensionToolContext,
} from "../types/context.js";
import type { ExtensionCommandContextActions, ExtensionContextActions, ExtensionRuntime } from "../types/host.js";
import type { ExtensionUIContext } from "../types/ui.js";

/** What contexts read from, at the moment of each read. */
export interface ContextHost {
  readonly runtime: ExtensionRuntime;
  readonly cwd: string;
  readonly sessionManager: SessionManager;
  readonly modelRegistry: ModelRegistry;
  readonly ui: ExtensionUIContext;
  readonly mode: ExtensionMode;
  readonly hasUI: boolean;
  readonly actions: ExtensionContextActions;
  readonly commandActions: ExtensionCommandContextActions;
  getThinkingLevel(): ExtensionContext["thinkingLevel"];
}

type Members<T> = { readonly [K in keyof T]: () => T[K] };

export function createContext(host: ContextHost): ExtensionContext {
  return live(host, contextMembers(host));
}

export function createCommandContext(host: ContextHost): ExtensionCommandContext {
  const { cwd } = host;
  return live<ExtensionCommandContext>(host, {
    ...contextMembers(host),
    getSystemPromptOptions: () => () => host.actions.getSystemPromptOptions?.() ?? { cwd },
    waitForIdle: () => host.commandActions.waitForIdle,
    newSession: () => host.commandActions.newSession,
    fork: () => host.commandActions.fork,
    navigateTree: () => host.commandActions.navigateTree,
    switchSession: () => host.commandActions.switchSession,
    reload: () => host.commandActions.reload,
  });
}

/** The context of one call of a tool. */
export function createToolContext(
  host: ContextHost,
  toolCallId: string,
  signal: AbortSignal | undefined,
): ExtensionToolContext {
  return live<ExtensionToolContext>(host, {
    ...contextMembers(host),
    tools: () => host.actions.getCallableTools?.() ?? [],
    executeTool: () => (name, args, options) => {
      const { executeTool } = host.actions;
      if (!executeTool) return Promise.reject(new Error("This session cannot run tools from tools."));
      return executeTool(name, args, { signal, ...options }, toolCallId);
    },
  });
}

function contextMembers(host: ContextHost): Members<ExtensionContext> {
  return {
    ui: () => host.ui,
    mode: () => host.mode,
    hasUI: () => host.hasUI,
    cwd: () => host.cwd,
    sessionManager: () => host.sessionManager,
    modelRegistry: () => host.modelRegistry,
    model: () => host.actions.getModel(),
    thinkingLevel: () => host.getThinkingLevel(),
    scopedModels: () => host.actions.getScopedModels(),
    isIdle: () => () => host.actions.isIdle(),
    isProjectTrusted: () => () => host.actions.isProjectTrusted(),
    signal: () => host.actions.getSignal(),
    abort: () => () => host.actions.abort(),
    hasPendingMessages: () => () => host.actions.hasPendingMessages(),
    shutdown: () => () => host.actions.shutdown(),
    getContextUsage: () => () => host.actions.getContextUsage(),
    compact: () => (options) => host.actions.compact(options),
    getSystemPrompt: () => () => host.actions.getSystemPrompt(),
  };
}

/** An object whose members are read anew each time, and throw once the runtime is stale; methods do when called, too. */
function live<T extends object>({ runtime }: ContextHost, members: Members<T>): T {
  const context = {} as T;
  for (const [name, read] of Object.entries(members) as [string, () => unknown][]) {
    Object.defineProperty(context, name, {
      enumerable: true,
      configurable: true,
      get() {
        assertFresh(runtime);
        const value = read();
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          assertFresh(runtime);
          return value(...args);
        };
      },
    });
  }
  return context;
}
