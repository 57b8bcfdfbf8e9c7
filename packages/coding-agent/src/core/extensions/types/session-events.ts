/** What befalls a session: its beginning and end, its summaries, its tree. Source: extensions.md section 6. */
import type { Usage } from "@earendil-works/pi-ai";
import type { CompactionReason } from "../../agent-session-events.js";
import type { CompactionPreparation, CompactionResult } from "../../compaction/types.js";
import type { BranchSummaryEntry, CompactionEntry, SessionEntry } from "../../session-store/entries.js";
import type { ExtensionMode } from "./context.js";
import type { ExtensionUIContext } from "./ui.js";

/** Why a session begins. */
export type SessionStartReason = "startup" | "reload" | "new" | "resume" | "fork";
/** Why a session ends. */
export type SessionShutdownReason = "quit" | "reload" | "new" | "resume" | "fork";

/** Asked before anything of a project is loaded; also when another session leads into a project not decided on. */
export interface ProjectTrustEvent {
  type: "project_trust";
  cwd: string;
}
export type ProjectTrustEventDecision = "yes" | "no" | "undecided";
export interface ProjectTrustEventResult {
  trusted: ProjectTrustEventDecision;
  /** Saves the decision for the directory. */
  remember?: boolean | undefined;
}
/** All there is before a session exists. */
export interface ProjectTrustContext {
  cwd: string;
  mode: ExtensionMode;
  hasUI: boolean;
  ui: Pick<ExtensionUIContext, "select" | "confirm" | "input" | "notify">;
}
export type ProjectTrustHandler = (
  event: ProjectTrustEvent,
  ctx: ProjectTrustContext,
) => ProjectTrustEventResult | Promise<ProjectTrustEventResult>;

/** Once everything is bound. */
export interface SessionStartEvent {
  type: "session_start";
  reason: SessionStartReason;
  /** For `new`, `resume` and `fork`. */
  previousSessionFile?: string | undefined;
}

/** After every `session_start`: further places to look for resources. */
export interface ResourcesDiscoverEvent {
  type: "resources_discover";
  cwd: string;
  reason: "startup" | "reload";
}
/** Paths, relative ones against the working directory. */
export interface ResourcesDiscoverResult {
  skillPaths?: string[] | undefined;
  promptPaths?: string[] | undefined;
  themePaths?: string[] | undefined;
}

export interface SessionInfoChangedEvent {
  type: "session_info_changed";
  /** Undefined when it was cleared. */
  name?: string | undefined;
}

export interface SessionBeforeSwitchEvent {
  type: "session_before_switch";
  reason: "new" | "resume";
  targetSessionFile?: string | undefined;
}
export interface SessionBeforeSwitchResult {
  cancel?: boolean | undefined;
}

export interface SessionBeforeForkEvent {
  type: "session_before_fork";
  entryId: string;
  position: "before" | "at";
}
export interface SessionBeforeForkResult {
  cancel?: boolean | undefined;
  /** Reserved. */
  skipConversationRestore?: boolean | undefined;
}

export interface SessionBeforeCompactEvent {
  type: "session_before_compact";
  preparation: CompactionPreparation;
  branchEntries: SessionEntry[];
  customInstructions?: string | undefined;
  reason: CompactionReason;
  /** The prompt that overflowed will be sent again. */
  willRetry: boolean;
  signal: AbortSignal;
}
export interface SessionBeforeCompactResult {
  cancel?: boolean | undefined;
  /** Takes the place of the built-in summary. */
  compaction?: CompactionResult | undefined;
}

export interface SessionCompactEvent {
  type: "session_compact";
  compactionEntry: CompactionEntry;
  /** The summary came from an extension. */
  fromExtension: boolean;
  reason: CompactionReason;
  willRetry: boolean;
}

export interface SessionCompactFailedEvent {
  type: "session_compact_failed";
  reason: CompactionReason;
  errorMessage?: string | undefined;
  aborted: boolean;
  willRetry: boolean;
  fromExtension: boolean;
}

export interface TreePreparation {
  targetId: string;
  oldLeafId: string | null;
  commonAncestorId: string | null;
  entriesToSummarize: SessionEntry[];
  userWantsSummary: boolean;
  customInstructions?: string | undefined;
  replaceInstructions?: boolean | undefined;
  label?: string | undefined;
}

export interface SessionBeforeTreeEvent {
  type: "session_before_tree";
  preparation: TreePreparation;
  signal: AbortSignal;
}
export interface SessionBeforeTreeResult {
  cancel?: boolean | undefined;
  /** Used only when the user wants one. */
  summary?: { summary: string; details?: unknown; usage?: Usage | undefined } | undefined;
  customInstructions?: string | undefined;
  replaceInstructions?: boolean | undefined;
  label?: string | undefined;
}

export interface SessionTreeEvent {
  type: "session_tree";
  newLeafId: string | null;
  oldLeafId: string | null;
  summaryEntry?: BranchSummaryEntry | undefined;
  fromExtension?: boolean | undefined;
}

/** Before a session is torn down, also on SIGTERM and SIGHUP. */
export interface SessionShutdownEvent {
  type: "session_shutdown";
  reason: SessionShutdownReason;
  targetSessionFile?: string | undefined;
}
