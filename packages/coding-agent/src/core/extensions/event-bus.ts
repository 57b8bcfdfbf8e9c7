import type { EventBusController } from "./types/api.js";

/** A bus for extensions. Handlers are called at once, in the order they came; one that throws keeps none from hearing. */
export function createEventBus(): EventBusController {
  const channels = new Map<string, Set<(data: unknown) => void>>();
  return {
    emit(channel, data) {
      for (const handler of [...(channels.get(channel) ?? [])]) {
        try {
          handler(data);
        } catch {
          // Whoever subscribes for an extension has caught and told it; a program's own handler is its own affair.
        }
      }
    },
    on(channel, handler) {
      const handlers = channels.get(channel) ?? new Set();
      channels.set(channel, handlers);
      // Twice the same function is two subscriptions.
      const own = (data: unknown) => handler(data);
      handlers.add(own);
      return () => handlers.delete(own);
    },
    clear() {
      channels.clear();
    },
  };
}
