import type { Component, OverlayOptions } from "@earendil-works/pi-tui";
import type { CustomUIFactory, CustomUIOptions, DisposableComponent } from "../../../core/extensions/types/ui.js";
import type { Desk } from "../desk.js";
import { currentTheme } from "../theme/current.js";

/** Shows a component of an extension until it is done: in place of the editor, or over everything. */
export async function showCustomUI<T>(
  desk: Desk,
  factory: CustomUIFactory<T>,
  options: CustomUIOptions = {},
): Promise<T> {
  const { tui, slot, keybindings } = desk;
  const { blocked } = options;
  if (blocked) tui.terminal.setProgramStatus({ state: "blocked", app: "pi", ...blocked });
  let component: DisposableComponent | undefined;
  let close: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      let isDone = false;
      const done = (result: T) => {
        isDone = true;
        resolve(result);
      };
      Promise.resolve(factory(tui, currentTheme(), keybindings, done)).then((made) => {
        component = made;
        // It was closed before it existed.
        if (isDone) return;
        close = options.overlay ? showOverlay(desk, made, options) : slot.open(undisposed(made));
      }, reject);
    });
  } finally {
    close?.();
    component?.dispose?.();
    if (blocked) tui.terminal.setProgramStatus({ state: "working", app: "pi" });
    tui.requestRender();
  }
}

function showOverlay({ tui }: Desk, component: DisposableComponent, { overlayOptions, onHandle }: CustomUIOptions) {
  const own = (component as Component & { width?: unknown }).width;
  const given: OverlayOptions = (typeof overlayOptions === "function" ? overlayOptions() : overlayOptions) ?? {};
  const handle = tui.showOverlay(component, { ...(typeof own === "number" && { width: own }), ...given });
  onHandle?.(handle);
  return () => handle.hide();
}

/** The slot ends what it closes; here the component is ended once, by its own way out. */
function undisposed(component: DisposableComponent): Component {
  return new Proxy(component, {
    get(target, name) {
      if (name === "dispose") return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
