import { escapeLength } from "./escapes.js";
import { graphemeWidth, splitGraphemes } from "./grapheme-width.js";

/** A grapheme cluster with its columns, or a terminal sequence (`escape`, no columns). */
export interface Piece {
  readonly text: string;
  readonly width: number;
  readonly escape: boolean;
}

/** True when each character is one printable ASCII column: no cluster, no sequence, no control. */
export function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

const asciiPieces: readonly Piece[] = Array.from({ length: 0x7f }, (_, code) => ({
  text: String.fromCharCode(code),
  width: 1,
  escape: false,
}));

/** The text as grapheme clusters and terminal sequences, in order. */
export function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const length = escapeLength(text, at);
    if (length > 0) {
      pieces.push({ text: text.slice(at, at + length), width: 0, escape: true });
      at += length;
      continue;
    }
    let end = text.indexOf("\x1b", at + 1);
    while (end >= 0 && escapeLength(text, end) === 0) end = text.indexOf("\x1b", end + 1);
    if (end < 0) end = text.length;
    pushClusters(pieces, text.slice(at, end));
    at = end;
  }
  return pieces;
}

function pushClusters(pieces: Piece[], text: string): void {
  if (isPrintableAscii(text)) {
    for (let at = 0; at < text.length; at++) {
      const piece = asciiPieces[text.charCodeAt(at)];
      if (piece) pieces.push(piece);
    }
    return;
  }
  for (const cluster of splitGraphemes(text)) {
    pieces.push({ text: cluster, width: graphemeWidth(cluster), escape: false });
  }
}

const CACHE_SIZE = 512;
const widths = new Map<string, number>();

/** Columns a text takes in the terminal. Terminal sequences take none, a tab takes three. */
export function visibleWidth(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  const known = widths.get(text);
  if (known !== undefined) {
    // Youngest last: what is asked for again stays.
    widths.delete(text);
    widths.set(text, known);
    return known;
  }
  let width = 0;
  for (const piece of splitPieces(text)) width += piece.width;
  widths.set(text, width);
  if (widths.size > CACHE_SIZE) {
    const oldest = widths.keys().next();
    if (!oldest.done) widths.delete(oldest.value);
  }
  return width;
}
