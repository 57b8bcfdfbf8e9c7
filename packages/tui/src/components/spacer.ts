import type { Component } from "../types.js";

/** Empty lines. */
export class Spacer implements Component {
  private drawn: readonly string[];

  constructor(lines = 1) {
    this.drawn = emptyLines(lines);
  }

  setLines(lines: number): void {
    if (lines !== this.drawn.length) this.drawn = emptyLines(lines);
  }

  invalidate(): void {}

  render(_width: number): readonly string[] {
    return this.drawn;
  }
}

function emptyLines(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => "");
}
