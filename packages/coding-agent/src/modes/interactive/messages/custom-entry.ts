import { type Component, Container, Spacer, Text } from "@earendil-works/pi-tui";
import { givenComponent } from "../../../core/extensions/running/given.js";
import type { CustomEntry } from "../../../core/session-store/entries.js";
import { Drawn } from "../screen/drawn.js";
import { currentTheme } from "../theme/current.js";
import { harmless } from "./plain-text.js";

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
      const own = this.renderer(this.entry, expanded);
      return own && givenComponent(own, "What a renderer gave");
    } catch (error) {
      const { customType } = this.entry;
      const words = error instanceof Error ? error.message : String(error);
      const line = () => currentTheme().fg("error", harmless(`[${customType}] renderer failed: ${words}`));
      return new Drawn((width) => new Text(line(), 1, 0).render(width));
    }
  }
}
