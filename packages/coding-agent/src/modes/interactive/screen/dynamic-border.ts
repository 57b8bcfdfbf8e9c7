import type { Component } from "@earendil-works/pi-tui";
import { currentTheme } from "../theme/current.js";

/** A rule as wide as the terminal. */
export class DynamicBorder implements Component {
  constructor(private readonly color: (text: string) => string = (text) => currentTheme().fg("border", text)) {}

  invalidate(): void {}

  render(width: number): readonly string[] {
    return [this.color("─".repeat(Math.max(1, width)))];
  }
}
