/** `pi`, the object an extension is given. Source: extensions.md sections 2.3, 3 and 4. */
import type { SourceInfo } from "../resources/resource-types.js";
import { assertFresh } from "./runtime.js";
import type { EventBus, ExtensionAPI } from "./types/api.js";
import type { AnyExtensionHandler, Extension, ExtensionRuntime, QueuedProvider } from "./types/host.js";
import type { EntryRenderer, MarkdownMessageType, MessageRenderer } from "./types/renderers.js";
import type { RegisteredTool } from "./types/tool.js";

const DEFAULT_MESSAGE_TYPES: readonly MarkdownMessageType[] = ["user", "assistant", "assistant-thinking"];

/** An extension while its factory runs, and what undoes it when that fails. */
export interface ExtensionInTheMaking {
  extension: Extension;
  api: ExtensionAPI;
  /** Hands over what the factory queued. */
  commit(): void;
  /** Nothing of it stays, and its `pi` throws from now on. */
  rollBack(): void;
}

/** An extension that has registered nothing yet. */
export function emptyExtension(path: string, resolvedPath: string, sourceInfo: SourceInfo): Extension {
  return {
    path,
    resolvedPath,
    sourceInfo,
    handlers: new Map(),
    tools: new Map(),
    messageRenderers: new Map(),
    entryRenderers: new Map(),
    toolRenderers: [],
    commands: new Map(),
    flags: new Map(),
    shortcuts: new Map(),
  };
}

export function beginExtension(extension: Extension, runtime: ExtensionRuntime): ExtensionInTheMaking {
  const { path } = extension;
  const queued: QueuedProvider[] = [];
  let state: "loading" | "loaded" | "failed" = "loading";
  const subscriptions = new Set<() => void>();

  const assertUsable = () => {
    if (state === "failed") {
      throw new Error(`Extension "${path}" failed to load and its API is no longer active.`);
    }
    assertFresh(runtime);
  };
  /** Wraps a method so that it throws for an extension that is no longer there. */
  const guarded = <Args extends readonly unknown[], R>(method: (...args: Args) => R) => {
    return (...args: Args): R => {
      assertUsable();
      return method(...args);
    };
  };
  const provide = (provider: QueuedProvider) => {
    if (state === "loading") queued.push(provider);
    else if (runtime.queuedProviders) runtime.queuedProviders.push(provider);
    else provider.apply(runtime.providers);
  };
  const notAvailable = (event: string, what: string) => {
    runtime.report({ extensionPath: path, event, error: `${what} is not available in this release.` });
  };
  // Read at each call: the stand-ins are replaced when a session binds.
  const actions = () => runtime.actions;

  const api: ExtensionAPI = {
    on: guarded((event: string, handler: AnyExtensionHandler) => {
      if (typeof handler !== "function") throw new Error(`Handler of event "${event}" must be a function.`);
      const list = extension.handlers.get(event) ?? [];
      extension.handlers.set(event, list);
      list.push(handler);
      return () => {
        const at = list.indexOf(handler);
        if (at >= 0) list.splice(at, 1);
      };
    }) as ExtensionAPI["on"],
    registerTool: guarded((definition) => {
      const { name, parameters } = definition;
      if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) {
        throw new Error(`Tool "${name}" registered by extension "${path}" must define an object parameter schema.`);
      }
      if (typeof name !== "string" || name === "" || typeof definition.execute !== "function") {
        throw new Error(`Tool "${name}" registered by extension "${path}" must have a name and define execute().`);
      }
      // The registry holds tools of any parameters and details.
      extension.tools.set(name, { definition, sourceInfo: extension.sourceInfo } as unknown as RegisteredTool);
      if (state === "loaded") runtime.actions.refreshTools();
    }) as ExtensionAPI["registerTool"],
    registerCommand: guarded((name, command) => {
      if (typeof name !== "string" || name.trim() === "") {
        throw new Error(
          `Command registered by extension "${path}" must have a non-empty string name. Call registerCommand("name", { handler }).`,
        );
      }
      if (typeof command?.handler !== "function") {
        throw new Error(`Command "/${name}" registered by extension "${path}" must define handler().`);
      }
      extension.commands.set(name, { ...command, name, sourceInfo: extension.sourceInfo });
    }),
    registerShortcut: guarded((shortcut, options) => {
      extension.shortcuts.set(shortcut, { ...options, shortcut, extensionPath: path });
    }),
    registerFlag: guarded((name, flag) => {
      if (flag.default !== undefined && typeof flag.default !== flag.type) {
        throw new Error(`Invalid default for flag "${name}": expected ${flag.type}, got ${typeof flag.default}`);
      }
      extension.flags.set(name, { ...flag, name, extensionPath: path });
    }),
    getFlag: guarded((name) => {
      const flag = extension.flags.get(name);
      return flag && (runtime.flagValues.get(name) ?? flag.default);
    }),
    registerMessageRenderer: guarded((type: string, renderer: MessageRenderer) => {
      extension.messageRenderers.set(type, renderer);
    }) as ExtensionAPI["registerMessageRenderer"],
    registerEntryRenderer: guarded((type: string, renderer: EntryRenderer) => {
      extension.entryRenderers?.set(type, renderer);
    }) as ExtensionAPI["registerEntryRenderer"],
    registerMarkdownTransformer: guarded((transformer, options) => {
      const messageTypes = new Set(options?.messageTypes ?? DEFAULT_MESSAGE_TYPES);
      extension.markdownTransformer = { transformer, messageTypes };
    }),
    registerToolRenderer: guarded((resolver) => {
      extension.toolRenderers?.push(resolver);
    }),
    registerProvider: guarded((...[provider, config = {}]: [string | { id: string }, object?]) => {
      provide({
        extensionPath: path,
        apply: (providers) =>
          typeof provider === "string"
            ? providers.registerProvider(provider, config)
            : providers.registerNativeProvider(provider as Parameters<typeof providers.registerNativeProvider>[0]),
      });
    }) as ExtensionAPI["registerProvider"],
    unregisterProvider: guarded((name) => {
      provide({ extensionPath: path, apply: (providers) => providers.unregisterProvider(name) });
    }),
    registerVirtualModel: guarded(() => notAvailable("register_virtual_model", "registerVirtualModel")),
    unregisterVirtualModel: guarded(() => {}),
    registerMcpServer: guarded(() => notAvailable("register_mcp_server", "registerMcpServer")),
    unregisterMcpServer: guarded(() => {}),
    getMcpServers: guarded(() => []),
    sendMessage: guarded((message, options) => actions().sendMessage(message, options)),
    sendUserMessage: guarded((content, options) => actions().sendUserMessage(content, options)),
    appendEntry: guarded((type, data) => actions().appendEntry(type, data)),
    setSessionName: guarded((name) => actions().setSessionName(name)),
    getSessionName: guarded(() => actions().getSessionName()),
    setLabel: guarded((entryId, label) => actions().setLabel(entryId, label)),
    exec: async (command, args, options = {}) => {
      assertUsable();
      const { runProcess } = await import("../process/run-process.js");
      return runProcess(command, args, { ...options, cwd: options.cwd ?? runtime.cwd });
    },
    getActiveTools: guarded(() => actions().getActiveTools()),
    setActiveTools: guarded((names) => actions().setActiveTools(names)),
    getAllTools: guarded(() => actions().getAllTools()),
    getCommands: guarded(() => actions().getCommands()),
    getSettings: guarded(() => actions().getSettings()),
    setModel: guarded((model) => actions().setModel(model)),
    getThinkingLevel: guarded(() => actions().getThinkingLevel()),
    setThinkingLevel: guarded((level) => actions().setThinkingLevel(level)),
    events: eventsOf(extension, runtime, subscriptions, assertUsable),
  };

  return {
    extension,
    api,
    commit() {
      state = "loaded";
      for (const provider of queued) provide(provider);
    },
    rollBack() {
      state = "failed";
      for (const unsubscribe of subscriptions) unsubscribe();
      for (const registered of [extension.handlers, extension.tools, extension.commands, extension.flags]) {
        registered.clear();
      }
    },
  };
}

/** The bus as one extension sees it: failures of its handlers are told, and a reload ends its subscriptions. */
function eventsOf(
  { path }: Extension,
  runtime: ExtensionRuntime,
  subscriptions: Set<() => void>,
  assertUsable: () => void,
): EventBus {
  return {
    emit(channel, data) {
      assertUsable();
      runtime.events.emit(channel, data);
    },
    on(channel, handler) {
      assertUsable();
      const fail = (error: unknown) => {
        const { message, stack } = error instanceof Error ? error : new Error(String(error));
        runtime.report({ extensionPath: path, event: `events:${channel}`, error: message, stack });
      };
      const unsubscribe = runtime.events.on(channel, (data) => {
        try {
          const pending: unknown = handler(data);
          if (pending instanceof Promise) pending.catch(fail);
        } catch (error) {
          fail(error);
        }
      });
      const end = () => {
        subscriptions.delete(end);
        runtime.subscriptions.delete(end);
        unsubscribe();
      };
      subscriptions.add(end);
      runtime.subscriptions.add(end);
      return end;
    },
  };
}
