/**
 * A game while you wait: `/lights`. A switch turns its lamp and the lamps beside it; turn all of them off.
 * Start: `pi -e lights-out.ts`. Arrows and space play, h looks at the conversation below, q ends.
 */
import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, Key, matchesKey, type OverlayHandle } from "@earendil-works/pi-tui";

const SIZE = 3;
/** How long h shows what is below. */
const PEEK_MS = 2500;

class Lamps implements Component {
  /** Lit lamps, as numbers of cells. */
  readonly #lit: Set<number>;
  #at = 0;
  #moves = 0;
  /** Set once the overlay is there. */
  handle: OverlayHandle | undefined;

  constructor(
    private readonly theme: Theme,
    pattern: readonly number[],
    private readonly redraw: () => void,
    private readonly done: (moves: number | undefined) => void,
  ) {
    this.#lit = new Set(pattern);
  }

  render(): string[] {
    const rows = Array.from({ length: SIZE }, (_, row) =>
      Array.from({ length: SIZE }, (_, column) => {
        const cell = row * SIZE + column;
        const lamp = this.#lit.has(cell) ? this.theme.fg("warning", "●") : this.theme.fg("dim", "○");
        return cell === this.#at ? `[${lamp}]` : ` ${lamp} `;
      }).join(""),
    );
    return [this.theme.bold(`Lights out ${this.#moves}`), ...rows, this.theme.fg("muted", "␣ h q")];
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const [row, column] = [Math.floor(this.#at / SIZE), this.#at % SIZE];
    if (matchesKey(data, Key.up) && row > 0) this.#at -= SIZE;
    if (matchesKey(data, Key.down) && row < SIZE - 1) this.#at += SIZE;
    if (matchesKey(data, Key.left) && column > 0) this.#at--;
    if (matchesKey(data, Key.right) && column < SIZE - 1) this.#at++;
    if (matchesKey(data, Key.space)) this.#flip(row, column);
    if (data === "q") this.done(undefined);
    if (data === "h" && this.handle) {
      this.handle.setHidden(true);
      setTimeout(() => this.handle?.setHidden(false), PEEK_MS);
    }
    if (this.#lit.size === 0) this.done(this.#moves);
    this.redraw();
  }

  #flip(row: number, column: number): void {
    this.#moves++;
    for (const [down, right] of [
      [0, 0],
      [0, 1],
      [0, -1],
      [1, 0],
      [-1, 0],
    ] as const) {
      const [y, x] = [row + down, column + right];
      if (y < 0 || x < 0 || y >= SIZE || x >= SIZE) continue;
      const cell = y * SIZE + x;
      if (!this.#lit.delete(cell)) this.#lit.add(cell);
    }
  }
}

export default function lightsOut(pi: ExtensionAPI) {
  pi.registerCommand("lights", {
    description: "Turn the lights out",
    getArgumentCompletions: (prefix) =>
      ["cross", "corners"].filter((name) => name.startsWith(prefix)).map((name) => ({ value: name, label: name })),
    handler: async (args, ctx) => {
      let lamps: Lamps | undefined;
      const moves = await ctx.ui.custom<number | undefined>(
        (tui, theme, _keybindings, done) => {
          const pattern = args === "corners" ? [0, 1, 3, 2, 5, 6, 7, 8].filter((cell) => cell !== 4) : [1, 3, 4, 5, 7];
          lamps = new Lamps(theme, pattern, () => tui.requestRender(), done);
          return lamps;
        },
        {
          overlay: true,
          overlayOptions: { width: 14, anchor: "top-right", margin: 1 },
          onHandle: (handle) => {
            if (lamps) lamps.handle = handle;
          },
        },
      );
      ctx.ui.notify(moves === undefined ? "The lights are still on." : `Dark after ${moves} moves.`);
    },
  });
}
