import type { Component, Focusable, TUI, ViewportTUI } from "./types.js";

/** Whether a component wants to know that it has the focus. */
export function isFocusable(component: Component | null): component is Component & Focusable {
  return component !== null && "focused" in component;
}

/** Whether the TUI has a screen of its own with a layout root. */
export function isViewportTUI(tui: TUI): tui is ViewportTUI {
  return "setLayoutRoot" in tui;
}
