/**
 * Notes behind shown output. Renderers hide a trailing block of the shape `⏎⏎[...<path>...]`: keep the shape.
 */
import { DEFAULT_MAX_BYTES, formatSize, type TruncationResult } from "../truncate.js";

/** Where the full output is, or why it is nowhere. */
type FullOutput = string | Error | undefined;

/** @param lastLineBytes size of the whole last line, of which maybe only the end is shown */
export function truncationNote(truncation: TruncationResult, lastLineBytes: number, fullOutput: FullOutput): string {
  const { totalLines, outputLines, outputBytes } = truncation;
  const where = describe(fullOutput);
  if (truncation.lastLinePartial) {
    return `\n\n[Showing last ${formatSize(outputBytes)} of line ${totalLines} (line is ${formatSize(lastLineBytes)}). ${where}]`;
  }
  const limit = truncation.truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
  return `\n\n[Showing lines ${totalLines - outputLines + 1}-${totalLines} of ${totalLines}${limit}. ${where}]`;
}

/** Said when children of the ended shell go on writing. */
export function backgroundNote(log: FullOutput): string {
  const goesOn = "Background processes of this command are still writing output.";
  return typeof log === "string" ? `\n\n[${goesOn} It goes on in: ${log}]` : `\n\n[${goesOn} ${describe(log)}]`;
}

function describe(fullOutput: FullOutput): string {
  if (typeof fullOutput === "string") return `Full output: ${fullOutput}`;
  return `The full output could not be saved: ${fullOutput?.message ?? "unknown error"}`;
}
