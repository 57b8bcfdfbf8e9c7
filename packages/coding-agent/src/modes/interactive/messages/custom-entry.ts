import { type Component, Container, Spacer } from "@earendil-works/pi-tui";
import type { CustomEntry } from "../../../core/session-store/entries.js";

/** Draws an entry of an extension; undefined shows nothing. */
export type CustomEntryRenderer = (entry: CustomEntry, expanded: boolean) => Component | undefined;

/** An entry of an extension, which only its own renderer can show. */
export class CustomEntryComponent extends Container {
  constructor(
    private readonly entry: CustomEntry,
    private readonly renderer: CustomEntryRenderer,
  ) {
    super();
    this.setExpanded(false);
  }

  setExpanded(expanded: boolean): void {
    this.clear();
    const drawn = this.#draw(expanded);
    if (!drawn) return;
    this.addChild(new Spacer(1));
    this.addChild(drawn);
  }

  #draw(expanded: boolean): Component | undefined {
    try {
      return this.renderer(this.entry, expanded);
    } catch {
      // An entry that cannot be drawn is kept all the same.
      return undefined;
    }
  }
}
