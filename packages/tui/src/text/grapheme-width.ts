import { eastAsianWidth } from "get-east-asian-width";

let graphemes: Intl.Segmenter | undefined;
const zeroWidth = /^[\p{Cc}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Zl}\p{Zp}]+$/u;

/** Grapheme clusters of a text, in order. */
export function splitGraphemes(text: string): string[] {
  // Made when it is needed: it costs as much as the rest of the package, and plain ASCII never asks for it.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const clusters: string[] = [];
  for (const { segment } of graphemes.segment(text)) clusters.push(segment);
  return clusters;
}

/**
 * Columns one grapheme cluster takes: 0 for controls and lone marks, 2 for emoji and flags, else the East Asian width
 * of its base (ambiguous is narrow) and one more for each spacing mark and for what has a width of its own inside.
 */
export function graphemeWidth(cluster: string): number {
  if (cluster === "\t") return 3;
  const base = cluster.codePointAt(0) ?? 0;
  if (base >= 0x20 && base < 0x7f && cluster.length === 1) return 1;
  if (zeroWidth.test(cluster)) return 0;
  if (isEmojiSequence(cluster)) return 2;
  if (base >= 0x1f1e6 && base <= 0x1f1ff) return 2;
  let width = 0;
  let first = true;
  for (const char of cluster) {
    const code = char.codePointAt(0) ?? 0;
    if (isSpacingMark(code, char)) width += 1;
    else if (first) width += zeroWidth.test(char) ? 0 : eastAsianWidth(code);
    else if (code >= 0xff01 && code <= 0xffee) width += eastAsianWidth(code);
    else if (code === THAI_AM || code === LAO_AM) width += 1;
    first = false;
  }
  return width;
}

/**
 * Clusters that are emoji although their base alone is not wide: with the emoji variation selector, as a keycap, or with
 * a skin tone. The pattern `\p{RGI_Emoji}` says the same, and takes the time of a whole frame to be made.
 */
function isEmojiSequence(cluster: string): boolean {
  if (/^[0-9#*]/.test(cluster)) return cluster.endsWith("\ufe0f\u20e3");
  if (cluster.includes("\ufe0f")) return /^\p{Emoji}/u.test(cluster);
  return /^\p{Emoji_Modifier_Base}\p{Emoji_Modifier}/u.test(cluster);
}

const THAI_AM = 0xe33;
const LAO_AM = 0xeb3;

/** Marks of Indic and Myanmar scripts that stand beside their base, not above or below it. */
function isSpacingMark(code: number, char: string): boolean {
  if (code < 0x900) return false;
  const indic =
    code <= 0x109f ||
    (code >= 0x1700 && code <= 0x1cff) ||
    (code >= 0xa800 && code <= 0xabff) ||
    (code >= 0x11000 && code <= 0x11fff);
  return indic && /\p{Mc}/u.test(char);
}

/**
 * Thai and Lao AM written as the two characters that it is made of: terminals agree about the width of those, and only
 * of those.
 */
export function decomposeAm(text: string): string {
  return text.replaceAll("\u0e33", "\u0e4d\u0e32").replaceAll("\u0eb3", "\u0ecd\u0eb2");
}
