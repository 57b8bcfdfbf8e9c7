import type { Component } from "@earendil-works/pi-tui";
import { themeVersion } from "../theme/current.js";

/** Lines that a function makes, kept until the width, the theme or what they show changes. */
export class Drawn implements Component {
  #kept: { width: number; theme: number; lines: readonly string[] } | undefined;

  constructor(private readonly draw: (width: number) => readonly string[]) {}

  /** What is shown has changed. */
  invalidate(): void {
    this.#kept = undefined;
  }

  render(width: number): readonly string[] {
    const theme = themeVersion();
    if (this.#kept?.width !== width || this.#kept.theme !== theme) {
      this.#kept = { width, theme, lines: this.draw(width) };
    }
    return this.#kept.lines;
  }
}
