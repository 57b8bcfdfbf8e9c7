/** What `grep` looks for, and what it finds, whichever program searches. */
export interface GrepQuery {
  readonly pattern: string;
  /** Absolute. */
  readonly path: string;
  readonly isDirectory: boolean;
  readonly glob?: string | undefined;
  readonly ignoreCase: boolean;
  readonly literal: boolean;
  /** Lines shown round each match. */
  readonly context: number;
  /** Matches shown, at least 1. */
  readonly limit: number;
}

export interface GrepResult {
  /** Ready to be shown, in the order of paths. */
  readonly lines: readonly string[];
  /** A match beyond the limit exists. */
  readonly hasMore: boolean;
  readonly linesTruncated: boolean;
}
