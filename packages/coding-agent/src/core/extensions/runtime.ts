/** What the extensions of one load share, before and after it is bound. Source: extensions.md section 3. */
import { createEventBus } from "./event-bus.js";
import type { EventBusController } from "./types/api.js";
import type { ExtensionActions, ExtensionProviderActions, ExtensionRuntime } from "./types/host.js";

const NOT_BOUND = "Extension runtime not initialized. Action methods cannot be called during extension loading.";

/** Extensions look for its words. */
export const STALE_MESSAGE =
  "This extension ctx is stale after session replacement or reload. Do not use a captured pi or command ctx after ctx.newSession(), ctx.fork(), ctx.switchSession(), or ctx.reload(). For newSession, fork, and switchSession, move post-replacement work into withSession and use the ctx passed to withSession. For reload, do not use the old ctx after await ctx.reload().";

/** A runtime on which actions throw until a session binds it. */
export function createExtensionRuntime(events: EventBusController = createEventBus()): ExtensionRuntime {
  return {
    events,
    actions: unboundActions,
    providers: unboundProviders,
    flagValues: new Map(),
    cwd: process.cwd(),
    isBound: false,
    staleMessage: undefined,
    subscriptions: new Set(),
    queuedProviders: [],
    atEnd: [],
    report: () => {},
  };
}

/** From here on everything that reads through the runtime throws, and the bus forgets its extensions. */
export function invalidateRuntime(runtime: ExtensionRuntime, message: string = STALE_MESSAGE): void {
  runtime.staleMessage ??= message;
  for (const unsubscribe of runtime.subscriptions) unsubscribe();
  runtime.subscriptions.clear();
  for (const end of runtime.atEnd.splice(0)) end();
}

/** @throws once the runtime is stale */
export function assertFresh(runtime: ExtensionRuntime): void {
  if (runtime.staleMessage !== undefined) throw new Error(runtime.staleMessage);
}

function notBound(): never {
  throw new Error(NOT_BOUND);
}

const unboundActions: ExtensionActions = {
  sendMessage: notBound,
  sendUserMessage: notBound,
  appendEntry: notBound,
  setSessionName: notBound,
  getSessionName: notBound,
  setLabel: notBound,
  getActiveTools: notBound,
  getAllTools: notBound,
  getSettings: notBound,
  setActiveTools: notBound,
  getCommands: notBound,
  setModel: () => Promise.reject(new Error("Extension runtime not initialized")),
  getThinkingLevel: notBound,
  setThinkingLevel: notBound,
  // Nothing to refresh yet: the session takes what it finds when it binds.
  refreshTools: () => {},
};

const unboundProviders: ExtensionProviderActions = {
  registerProvider: notBound,
  registerNativeProvider: notBound,
  unregisterProvider: notBound,
};
