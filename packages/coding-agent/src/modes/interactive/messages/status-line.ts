import { Container, Spacer, Text } from "@earendil-works/pi-tui";
import type { ThemeColor } from "../../../core/themes/tokens.js";
import { Drawn } from "../screen/drawn.js";
import { currentTheme } from "../theme/current.js";
import { harmless } from "./plain-text.js";

/** A line of the program itself in the chat. */
export class StatusLine extends Container {
  #text: string;
  readonly #drawn: Drawn;

  constructor(text: string, color: ThemeColor, outputPad = 1) {
    super();
    this.#text = harmless(text);
    this.#drawn = new Drawn((width) => {
      const lines = this.#text.split("\n").map((line) => currentTheme().fg(color, line));
      return new Text(lines.join("\n"), outputPad, 0).render(width);
    });
    this.addChild(new Spacer(1));
    this.addChild(this.#drawn);
  }

  setText(text: string): void {
    this.#text = harmless(text);
    this.#drawn.invalidate();
  }
}
