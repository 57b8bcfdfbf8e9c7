import type { Theme } from "../../../core/extensions/types/theme.js";
import { formatSize, type TruncationResult } from "../../../core/tools/truncate.js";

interface SearchDetails {
  truncation?: TruncationResult;
  fullOutputPath?: string;
  matchLimitReached?: number;
  resultLimitReached?: number;
  entryLimitReached?: number;
  linesTruncated?: boolean;
}

/** What of a result was left out, behind a line break; empty when nothing was. */
export function truncationNote(given: unknown, theme: Theme): string {
  const details = given as SearchDetails | undefined;
  if (!details) return "";
  const { truncation, fullOutputPath } = details;
  const parts: string[] = [];
  if (details.matchLimitReached !== undefined) parts.push(`${details.matchLimitReached} matches limit`);
  if (details.resultLimitReached !== undefined) parts.push(`${details.resultLimitReached} results limit`);
  if (details.entryLimitReached !== undefined) parts.push(`${details.entryLimitReached} entries limit`);
  if (details.linesTruncated) parts.push("some lines were cut");
  if (truncation?.truncated) {
    const limit = truncation.truncatedBy === "bytes" ? ` (${formatSize(truncation.maxBytes)} limit)` : "";
    parts.push(`showing ${truncation.outputLines} of ${truncation.totalLines} lines${limit}`);
  }
  if (parts.length === 0 && fullOutputPath === undefined) return "";
  const full = fullOutputPath === undefined ? "" : `Full output: ${fullOutputPath}`;
  const truncated = parts.length === 0 ? "" : `Truncated: ${parts.join(", ")}`;
  return `\n${theme.fg("warning", `[${[full, truncated].filter((text) => text !== "").join(". ")}]`)}`;
}
