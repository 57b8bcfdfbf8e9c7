import type { OpenDialog } from "../open-dialogs.js";

/**
 * Between a supervisor and a holder: lines whose first character says what they are. Records of the agent travel as they
 * are, so nothing is parsed on the way.
 *
 * To the holder: `H<json>` I am your supervisor now, `S<json>` start the agent, `L<record>` for its input,
 * `K<id> <record>` likewise but once per id, `E` end its input, `T` SIGTERM, `X` kill it with all it started,
 * `Q` nobody needs you any more.
 * From the holder: `h<json>` state, `s<json>` the agent has started, `r<seq> <record>` of its output, `e` its process
 * has ended, `x<json>` that was all: how it ended.
 */
export interface HolderHello {
  /** Last record that the supervisor has. */
  after: number;
}

export interface HolderStart {
  args: string[];
  cwd: string;
  mark: string;
  /** File for what the agent says on stderr. */
  stderr: string;
}

export interface AgentProcess {
  pid: number;
  startTime: string;
}

export interface AgentExit {
  code: number | null;
  signal: string | null;
  /** Why it could not be started. */
  error?: string;
}

export interface HolderState {
  pid: number;
  agent?: AgentProcess;
  exit?: AgentExit;
  /** Ids of records that were passed on once. */
  once: string[];
  /** Those that wait for an answer. */
  dialogs: OpenDialog[];
  firstSeq: number;
  lastSeq: number;
}

/** What is kept of the agent's output while no supervisor reads it, in characters. */
export const ringLimit = 1024 * 1024;

/** Ids of records that are answers to dialogs begin so. */
export const dialogPrefix = "ui_";
