import type { TruncationResult } from "../truncate.js";

export interface BashToolDetails {
  /** Set when the shown text is not all of the output. */
  truncation?: TruncationResult;
  fullOutputPath?: string;
}
