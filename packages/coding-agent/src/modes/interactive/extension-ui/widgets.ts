import { type Component, type Container, Text, type TUI, truncateToWidth } from "@earendil-works/pi-tui";
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
  ) {}

  set(key: string, content: string[] | WidgetFactory | undefined, placement: WidgetPlacement = "aboveEditor"): void {
    const before = this.#shown.get(key);
    before?.component.dispose?.();
    if (content === undefined) this.#shown.delete(key);
    else {
      // A widget that changes sides is a new one there; one that stays keeps its place.
      if (before?.placement !== placement) this.#shown.delete(key);
      this.#shown.set(key, { component: this.#make(content), placement });
    }
    this.#show();
  }

  clear(): void {
    for (const { component } of this.#shown.values()) component.dispose?.();
    this.#shown.clear();
    this.#show();
  }

  #make(content: string[] | WidgetFactory): DisposableComponent {
    if (typeof content === "function") return content(this.tui, currentTheme());
    return linesOf(content);
  }

  #show(): void {
    for (const area of Object.values(this.areas)) area.clear();
    for (const { component, placement } of this.#shown.values()) this.areas[placement].addChild(component);
    this.tui.requestRender();
  }
}

function linesOf(lines: readonly string[]): Component {
  return new Drawn((width) => {
    const shown = lines.slice(0, MAX_LINES).map((line) => truncateToWidth(line, width));
    if (lines.length <= MAX_LINES) return shown;
    return [...shown, ...new Text(currentTheme().fg("muted", "... (widget truncated)"), 0, 0).render(width)];
  });
}
