/** Texts from elsewhere, made fit for terminals. Pure. */

/**
 * Escape sequences go whole; other control characters but line breaks and tabs, and marks that reorder text, one by one.
 * A carriage return is a line break: it hides nothing.
 */
export function withoutControls(text: string): string {
  return text
    .replace(ESCAPE_SEQUENCES, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, "");
}

/** Commands to terminals: CSI, the strings of OSC, DCS, SOS, PM and APC, and two-character ones. */
const ESCAPE_SEQUENCES = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join("|"),
  "gu",
);

/** A text of one line, as names are: line breaks and tabs are spaces, and nothing in it steers a terminal. */
export function oneLine(text: string): string {
  return withoutControls(text.replace(/[\r\n]+/g, " "))
    .replace(/[\t\u2028\u2029]+/g, " ")
    .trim();
}
