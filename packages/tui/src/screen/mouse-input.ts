import { escapePattern } from "../text/escapes.js";
import type { TuiMouseButton, TuiMouseEventType } from "../types.js";

/** One report of the mouse: what happened at which cell of the screen. */
export interface MouseReport {
  readonly type: TuiMouseEventType;
  readonly button: TuiMouseButton;
  readonly screenX: number;
  readonly screenY: number;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
  /** -1 up, 1 down. */
  readonly wheel: number;
}

const report = escapePattern(String.raw`\[<(\d+);(\d+);(\d+)([Mm])`);
const buttons: readonly TuiMouseButton[] = ["left", "middle", "right", "none"];

/** Reads an SGR mouse report. */
export function parseMouse(data: string): MouseReport | undefined {
  const match = report.exec(data);
  if (!match) return undefined;
  const code = Number(match[1]);
  const isWheel = (code & 64) !== 0;
  const button = isWheel ? "none" : (buttons[code & 3] ?? "none");
  const moves = (code & 32) !== 0;
  const type = isWheel
    ? "wheel"
    : moves
      ? button === "none"
        ? "move"
        : "drag"
      : match[4] === "m"
        ? "release"
        : "press";
  return {
    type,
    button,
    screenX: Number(match[2]) - 1,
    screenY: Number(match[3]) - 1,
    shift: (code & 4) !== 0,
    alt: (code & 8) !== 0,
    ctrl: (code & 16) !== 0,
    wheel: isWheel ? ((code & 3) === 0 ? -1 : (code & 3) === 1 ? 1 : 0) : 0,
  };
}

export type WheelScrollLines = number | "auto";

/** Lines per notch of the wheel: more the faster it turns. */
export class WheelSpeed {
  private last = Number.NEGATIVE_INFINITY;

  constructor(public lines: WheelScrollLines = "auto") {}

  step(now: number): number {
    const pause = now - this.last;
    this.last = now;
    if (this.lines !== "auto") return Math.max(1, this.lines);
    return Math.max(1, Math.min(6, Math.round(100 / Math.max(1, pause))));
  }
}
