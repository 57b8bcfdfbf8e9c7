/** Stands right before the cursor's cell in the lines of a focused component; never reaches the terminal. */
export const CURSOR_MARKER = "\x1b_pi:c\x07";
export const FAKE_CURSOR_START = "\x1b_pi:fc\x07";
export const FAKE_CURSOR_END = "\x1b_pi:/fc\x07";

/** Draws the cursor's cell: reversed, unless the terminal shows its own cursor there. */
export function renderFakeCursor(text: string): string {
  return `${FAKE_CURSOR_START}${text}${FAKE_CURSOR_END}`;
}
