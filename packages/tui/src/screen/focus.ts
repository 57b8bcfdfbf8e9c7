import { isFocusable } from "../focusable.js";
import type { Component, OverlayHandle, OverlayOptions, OverlayUnfocusOptions } from "../types.js";
import { type Overlay, OverlayStack } from "./overlay-stack.js";

/** Who gets the keys: a component of the tree, or an overlay, which takes them back when somebody borrowed them. */
export class FocusManager {
  readonly stack = new OverlayStack();
  focused: Component | null = null;
  /** The overlay that had the focus before a component of the tree borrowed it. */
  private owner: Overlay | undefined;

  constructor(
    private readonly tree: { readonly children: readonly Component[] },
    private readonly size: () => { columns: number; rows: number },
    private readonly changed: () => void,
  ) {}

  setFocus(component: Component | null): void {
    const overlay = this.stack.of(component);
    const current = this.stack.of(this.focused);
    if (overlay) {
      this.owner = undefined;
    } else if (current && this.isVisible(current) && component && this.isMounted(component)) {
      this.owner = current;
    } else if (this.owner && this.isVisible(this.owner)) {
      const owner = this.owner;
      this.owner = undefined;
      this.stack.raise(owner);
      this.give(owner.component);
      return;
    }
    if (overlay) this.stack.raise(overlay);
    this.give(component);
  }

  show(component: Component, options: OverlayOptions): OverlayHandle {
    const overlay = this.stack.add(component, options, this.focused);
    if (!options.nonCapturing && this.isVisible(overlay)) this.setFocus(component);
    this.changed();
    return {
      hide: () => this.remove(overlay),
      setHidden: (hidden) => this.setHidden(overlay, hidden),
      isHidden: () => overlay.hidden,
      focus: () => {
        if (this.isVisible(overlay)) this.setFocus(component);
        this.changed();
      },
      unfocus: (target) => this.unfocus(overlay, target),
      isFocused: () => this.focused === component,
      getBounds: () => (this.isVisible(overlay) ? overlay.bounds : undefined),
    };
  }

  /** Removes the overlay shown last. */
  removeLast(): void {
    const last = this.stack.overlays.at(-1);
    if (last) this.remove(last);
  }

  hasVisible(): boolean {
    const { columns, rows } = this.size();
    return this.stack.overlays.length > 0 && this.stack.visible(columns, rows).length > 0;
  }

  /** Moves the focus away from what is no longer there. Called before input is handed out and before each frame. */
  settle(): void {
    if (this.owner && (!this.focused || !this.isMounted(this.focused))) {
      const owner = this.owner;
      this.owner = undefined;
      if (this.isVisible(owner)) this.setFocus(owner.component);
    }
    const overlay = this.stack.of(this.focused);
    if (overlay && !this.isVisible(overlay)) this.fallBack(overlay);
  }

  private remove(overlay: Overlay): void {
    if (!this.stack.remove(overlay)) return;
    if (this.owner === overlay) this.owner = undefined;
    if (this.focused === overlay.component) this.fallBack(overlay);
    this.changed();
  }

  private setHidden(overlay: Overlay, hidden: boolean): void {
    if (overlay.hidden === hidden) return;
    overlay.hidden = hidden;
    if (!hidden && !overlay.options.nonCapturing && this.isVisible(overlay)) this.setFocus(overlay.component);
    else if (hidden && this.focused === overlay.component) this.fallBack(overlay);
    this.changed();
  }

  private unfocus(overlay: Overlay, options: OverlayUnfocusOptions | undefined): void {
    if (this.owner === overlay) this.owner = undefined;
    if (options) this.give(options.target);
    else if (this.focused === overlay.component) this.fallBack(overlay);
    this.changed();
  }

  private fallBack(from: Overlay): void {
    const { columns, rows } = this.size();
    const capturing = this.stack.visible(columns, rows).filter((one) => !one.options.nonCapturing && one !== from);
    this.give(capturing.at(-1)?.component ?? this.firstBelow(from));
  }

  /** What had the focus before the overlay, skipping overlays that have gone meanwhile. */
  private firstBelow(overlay: Overlay): Component | null {
    const before = overlay.focusBefore;
    const below = this.stack.of(before);
    if (!below) return before;
    return this.isVisible(below) || below === overlay ? before : this.firstBelow(below);
  }

  private give(component: Component | null): void {
    if (component === this.focused) return;
    if (isFocusable(this.focused)) this.focused.focused = false;
    this.focused = component;
    if (isFocusable(component)) component.focused = true;
  }

  private isVisible(overlay: Overlay): boolean {
    const { columns, rows } = this.size();
    return this.stack.isVisible(overlay, columns, rows);
  }

  private isMounted(component: Component): boolean {
    const search = (children: readonly Component[]): boolean =>
      children.some((child) => {
        if (child === component) return true;
        const inner: unknown = "children" in child ? child.children : undefined;
        return Array.isArray(inner) && search(inner);
      });
    return search(this.tree.children);
  }
}
