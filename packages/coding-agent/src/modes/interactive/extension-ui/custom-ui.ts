import { type Component, type OverlayOptions, onComponentFailure } from "@earendil-works/pi-tui";
import { givenComponent } from "../../../core/extensions/running/given.js";
import type { CustomUIFactory, CustomUIOptions, DisposableComponent } from "../../../core/extensions/types/ui.js";
import type { Desk } from "../desk.js";
import { currentTheme } from "../theme/current.js";

/**
 * Shows a component of an extension until it is done: in place of the editor, or over everything.
 * One that cannot be drawn is taken away, and what was thrown is thrown to the extension.
 * @param ended takes it from the screen; who waits for its answer gets none then
 * @param dispose ends a component of an extension, whatever that does
 */
export function showCustomUI<T>(
  desk: Desk,
  factory: CustomUIFactory<T>,
  options: CustomUIOptions,
  ended: AbortSignal,
  dispose: (component: DisposableComponent) => void,
): Promise<T> {
  const { tui, slot, keybindings } = desk;
  const { blocked } = options;
  return new Promise<T>((resolve, reject) => {
    let component: DisposableComponent | undefined;
    let close: (() => void) | undefined;
    let stopListening: (() => void) | undefined;
    let isOver = false;
    const finish = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      ended.removeEventListener("abort", leave);
      stopListening?.();
      close?.();
      if (component) dispose(component);
      if (blocked) tui.terminal.setProgramStatus({ state: "working", app: "pi" });
      tui.requestRender();
      settle();
    };
    const leave = () => finish(() => {});
    const make = async () => {
      const given = await factory(tui, currentTheme(), keybindings, (result) => finish(() => resolve(result)));
      const made = givenComponent(given, "What custom() shows");
      // It was closed before it existed.
      if (isOver) {
        dispose(made);
        return;
      }
      component = made;
      // Nobody could answer what is not there to be seen.
      stopListening = onComponentFailure((error, failed) => {
        if (failed === shown) setImmediate(() => finish(() => reject(error)));
      });
      const shown = options.overlay ? made : undisposed(made);
      close = options.overlay ? showOverlay(desk, made, options) : slot.open(shown);
    };
    ended.addEventListener("abort", leave, { once: true });
    if (blocked) tui.terminal.setProgramStatus({ state: "blocked", app: "pi", ...blocked });
    make().catch((error) => finish(() => reject(error)));
  });
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
