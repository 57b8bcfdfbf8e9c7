import { type Component, type Container, Text, type TUI, truncateToWidth } from "@earendil-works/pi-tui";
import { givenComponent, givenTexts } from "../../../core/extensions/running/given.js";
import type { DisposableComponent, WidgetFactory, WidgetPlacement } from "../../../core/extensions/types/ui.js";
import { Drawn } from "../screen/drawn.js";
import { currentTheme } from "../theme/current.js";

const MAX_LINES = 10;

/** What extensions show beside the editor, by key, in the order in which it came. */
export class Widgets {
  readonly #shown = new Map<string, { component: DisposableComponent; placement: WidgetPlacement }>();

  constructor(
    private readonly areas: Record<WidgetPlacement, Container>,
    private readonly tui: TUI,
    /** Ends a component of an extension, whatever that does. */
    private readonly dispose: (component: DisposableComponent) => void,
  ) {}

  set(key: string, content: string[] | WidgetFactory | undefined, placement: WidgetPlacement = "aboveEditor"): void {
    const made = content === undefined || content === null ? undefined : this.#make(content);
    const side = placement === "belowEditor" ? placement : "aboveEditor";
    const before = this.#shown.get(key);
    // A widget that changes sides is a new one there; one that stays keeps its place.
    if (!made || before?.placement !== side) this.#shown.delete(key);
    if (made) this.#shown.set(key, { component: made, placement: side });
    this.#show();
    before?.component.dispose?.();
  }

  clear(): void {
    const gone = [...this.#shown.values()];
    this.#shown.clear();
    this.#show();
    for (const { component } of gone) this.dispose(component);
  }

  #make(content: string[] | WidgetFactory): DisposableComponent {
    if (typeof content === "function") return givenComponent(content(this.tui, currentTheme()), "The widget");
    return widgetOf(givenTexts(content));
  }

  #show(): void {
    for (const area of Object.values(this.areas)) area.clear();
    for (const { component, placement } of this.#shown.values()) this.areas[placement].addChild(component);
    this.tui.requestRender();
  }
}

function widgetOf(lines: readonly string[]): Component {
  return new Drawn((width) => {
    const shown = lines.slice(0, MAX_LINES).map((line) => truncateToWidth(line, width));
    if (lines.length <= MAX_LINES) return shown;
    return [...shown, ...new Text(currentTheme().fg("muted", "... (widget truncated)"), 0, 0).render(width)];
  });
}
