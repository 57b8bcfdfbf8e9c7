import { StyleState } from "./style-state.js";
import { splitPieces, visibleWidth } from "./width.js";

/**
 * Cuts a text to at most `max` columns and marks the cut with an ellipsis; styles do not run on behind it.
 *
 * @param pad fill up with spaces to exactly `max` columns
 */
export function truncateToWidth(text: string, max: number, ellipsis = "...", pad = false): string {
  if (max <= 0) return "";
  const width = visibleWidth(text);
  if (width <= max) return pad ? text + " ".repeat(max - width) : text;
  const ellipsisWidth = visibleWidth(ellipsis);
  if (ellipsisWidth > max) {
    const mark = fit(ellipsis, max);
    return pad ? mark.text + " ".repeat(max - mark.width) : mark.text;
  }
  const kept = fit(text, max - ellipsisWidth);
  const fill = pad ? " ".repeat(max - ellipsisWidth - kept.width) : "";
  return `${kept.text}\x1b[0m${kept.closeLink}${ellipsis}\x1b[0m${fill}`;
}

function fit(text: string, max: number): { text: string; width: number; closeLink: string } {
  let kept = "";
  let width = 0;
  const state = new StyleState();
  for (const piece of splitPieces(text)) {
    if (width + piece.width > max) break;
    if (piece.escape) state.apply(piece.text);
    kept += piece.text;
    width += piece.width;
  }
  return { text: kept, width, closeLink: state.link === undefined ? "" : "\x1b]8;;\x1b\\" };
}
