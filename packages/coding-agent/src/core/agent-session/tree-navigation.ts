import type { TreePreparation } from "../extensions/types.js";
import { noModelSelectedText } from "../models/no-model-text.js";
import type { BranchSummaryEntry } from "../session-store/entries.js";
import type { SessionCore } from "./session-core.js";
import { CompactionCancelledError, type Summaries } from "./summaries.js";

export interface NavigateTreeOptions {
  /** Summarise what is left. Default false. */
  summarize?: boolean | undefined;
  customInstructions?: string | undefined;
  /** The custom instructions stand alone. */
  replaceInstructions?: boolean | undefined;
  /** Marks the place that is gone to. */
  label?: string | undefined;
}

export interface NavigateTreeResult {
  cancelled: boolean;
  aborted?: boolean;
  /** Text of the prompt that was selected, to be changed and sent again. */
  editorText?: string;
  summaryEntry?: BranchSummaryEntry;
}

/**
 * Goes to another place of the session's tree; the session must be idle. Source: sessions.md section 4.
 * @throws `Entry <id> not found`, and when a summary is wanted and fails: the tree is unchanged then
 */
export async function navigateTree(
  core: SessionCore,
  summaries: Summaries,
  targetId: string,
  options: NavigateTreeOptions,
): Promise<NavigateTreeResult> {
  const { sessionManager, agent } = core;
  const oldLeafId = sessionManager.getLeafId();
  if (targetId === oldLeafId) return { cancelled: false };
  const target = sessionManager.getEntry(targetId);
  if (!target) throw new Error(`Entry ${targetId} not found`);
  if (options.summarize && !core.model) throw new Error(noModelSelectedText);
  if (options.summarize || options.label) core.claim();

  const { collectEntriesForBranchSummary } = await import("../compaction/branch-summary.js");
  const { entries, commonAncestorId } = collectEntriesForBranchSummary(sessionManager, oldLeafId, targetId);
  const answer = await askExtensions(core, summaries, {
    targetId,
    oldLeafId,
    commonAncestorId,
    entriesToSummarize: entries,
    userWantsSummary: options.summarize === true,
    customInstructions: options.customInstructions,
    replaceInstructions: options.replaceInstructions,
    label: options.label,
  });
  if (answer === "aborted") return { cancelled: true, aborted: true };
  if (answer?.cancel) return { cancelled: true };
  const wanted = {
    customInstructions: answer?.customInstructions ?? options.customInstructions,
    replaceInstructions: answer?.replaceInstructions ?? options.replaceInstructions,
  };
  const label = answer?.label ?? options.label;
  const given = options.summarize ? answer?.summary : undefined;
  const made =
    options.summarize && !given && entries.length > 0 ? await summarizeOrAbort(summaries, entries, wanted) : undefined;
  if (made === "aborted") return { cancelled: true, aborted: true };
  const summary = given ? { text: given.summary, usage: given.usage, details: given.details } : made;
  const fromExtension = given !== undefined;

  const prompt = promptOf(target);
  const newLeafId = prompt === undefined ? targetId : (target.parentId ?? null);
  let summaryEntry: BranchSummaryEntry | undefined;
  try {
    if (summary) {
      const { text, details, usage } = summary;
      const id = sessionManager.branchWithSummary(newLeafId, text, details, fromExtension, usage);
      summaryEntry = sessionManager.getEntry(id) as BranchSummaryEntry | undefined;
    } else if (newLeafId === null) sessionManager.resetLeaf();
    else sessionManager.branch(newLeafId);
    if (label) sessionManager.appendLabelChange(summaryEntry?.id ?? targetId, label);
  } finally {
    // Also when something could not be written: it is kept then.
    agent.state.messages = sessionManager.buildSessionContext().messages;
  }
  if (core.extensions.hasHandlers("session_tree")) {
    const event = { type: "session_tree", newLeafId: sessionManager.getLeafId(), oldLeafId } as const;
    await core.extensions.emit<"session_tree">({ ...event, summaryEntry, ...(summary && { fromExtension }) });
  }
  return {
    cancelled: false,
    ...(prompt !== undefined && { editorText: prompt }),
    ...(summaryEntry && { summaryEntry }),
  };
}

async function askExtensions({ extensions }: SessionCore, summaries: Summaries, preparation: TreePreparation) {
  if (!extensions.hasHandlers("session_before_tree")) return undefined;
  try {
    return await summaries.abortable((signal) =>
      extensions.emit<"session_before_tree">({ type: "session_before_tree", preparation, signal }),
    );
  } catch (error) {
    if (error instanceof CompactionCancelledError) return "aborted";
    throw error;
  }
}

async function summarizeOrAbort(
  summaries: Summaries,
  entries: Parameters<Summaries["summarizeBranch"]>[0],
  options: Pick<NavigateTreeOptions, "customInstructions" | "replaceInstructions">,
) {
  try {
    const { aborted, error, summary, usage, readFiles, modifiedFiles } = await summaries.summarizeBranch(
      entries,
      options,
    );
    if (aborted) return "aborted";
    if (error !== undefined || summary === undefined) throw new Error(error ?? "Branch summarization failed");
    return { text: summary, usage, details: { readFiles: readFiles ?? [], modifiedFiles: modifiedFiles ?? [] } };
  } catch (error) {
    if (error instanceof CompactionCancelledError) return "aborted";
    throw error;
  }
}

/** The text of a prompt or of an extension's message; undefined for entries one goes to as they are. */
function promptOf(entry: NonNullable<ReturnType<SessionCore["sessionManager"]["getEntry"]>>): string | undefined {
  const content =
    entry.type === "custom_message"
      ? entry.content
      : entry.type === "message" && entry.message?.role === "user"
        ? entry.message.content
        : undefined;
  if (content === undefined || typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("");
}
