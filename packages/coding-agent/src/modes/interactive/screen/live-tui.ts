import type { TUI } from "@earendil-works/pi-tui";

/**
 * A TUI that stands for whichever one draws at the moment: what holds on to it goes on when the screen is swapped.
 *
 * @param current asked at each use
 */
export function liveTui(current: () => TUI): TUI {
  return new Proxy({} as TUI, {
    get(_target, name) {
      const tui = current();
      const value: unknown = Reflect.get(tui, name, tui);
      return typeof value === "function" ? value.bind(tui) : value;
    },
    set(_target, name, value) {
      return Reflect.set(current(), name, value);
    },
    has(_target, name) {
      return Reflect.has(current(), name);
    },
  });
}
