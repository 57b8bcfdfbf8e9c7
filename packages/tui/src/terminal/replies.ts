import { escapePattern } from "../text/escapes.js";
import type { ProgramStatus, RgbColor, TerminalColorScheme, TerminalColors } from "../types.js";

const schemeReport = escapePattern(String.raw`\[\?997;([12])n`);
const colorReply = escapePattern(String.raw`\](10|11|4;\d+);rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+).*`, "is");
const cellReply = escapePattern(String.raw`\[6;(\d+);(\d+)t`);
const attributesReply = escapePattern(String.raw`\[\?[\d;]*c`);

/** Reads the terminal's word on whether it is dark or light (`CSI ? 997 ; 1 n`). */
export function parseTerminalColorSchemeReport(data: string): TerminalColorScheme | undefined {
  const report = schemeReport.exec(data);
  return report ? (report[1] === "1" ? "dark" : "light") : undefined;
}

/** Height and width of a cell in pixels (`CSI 6 ; h ; w t`). */
export function parseCellSize(data: string): { widthPx: number; heightPx: number } | undefined {
  const reply = cellReply.exec(data);
  return reply ? { heightPx: Number(reply[1]), widthPx: Number(reply[2]) } : undefined;
}

/** The answer to `CSI c`, which every terminal gives; it ends each list of questions. */
export function isDeviceAttributes(data: string): boolean {
  return attributesReply.test(data);
}

/** Questions for the colours, ended by `CSI c`. */
export const COLOR_QUESTIONS = `\x1b]10;?\x1b\\\x1b]11;?\x1b\\${Array.from({ length: 16 }, (_, i) => `\x1b]4;${i};?\x1b\\`).join("")}\x1b[c`;

/** Collects the answers to `COLOR_QUESTIONS`. */
export class ColorReplies {
  private readonly colors: TerminalColors = {};
  private readonly palette = new Map<number, RgbColor>();

  /** Takes an answer; false when the input is none. */
  take(data: string): boolean {
    const reply = colorReply.exec(data);
    if (!reply) return false;
    const color = { r: channel(reply[2]), g: channel(reply[3]), b: channel(reply[4]) };
    const which = reply[1] ?? "";
    if (which === "10") this.colors.foreground = color;
    else if (which === "11") this.colors.background = color;
    else this.palette.set(Number(which.slice(2)), color);
    return true;
  }

  result(): TerminalColors {
    const palette = Array.from({ length: 16 }, (_, index) => this.palette.get(index)).filter(
      (color) => color !== undefined,
    );
    return palette.length === 16 ? { ...this.colors, palette } : { ...this.colors };
  }
}

/** One to four hexadecimal digits as 0..255. */
function channel(digits = "0"): number {
  return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}

const MAX_MESSAGE = 2048;

/** The sequence that tells a terminal the state of the program (OSC 7501). Messages are cut at 2048 bytes. */
export function formatProgramStatus({ state, app, kind, message }: ProgramStatus): string {
  const fields = [`state=${state}`];
  if (app) fields.push(`app=${plain(app)}`);
  if (kind) fields.push(`kind=${kind}`);
  if (message) fields.push(`msg=${Buffer.from(cutUtf8(message)).toString("base64")}`);
  return `\x1b]7501;${fields.join(":")}\x1b\\`;
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}:;]/gu, "_");
}

function cutUtf8(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= MAX_MESSAGE) return message;
  let end = MAX_MESSAGE;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString("utf8");
}
