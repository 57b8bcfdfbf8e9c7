/** The rows of the tree of a session: what is shown, in which order, how far indented. Pure. */
import type { SessionEntry, SessionTreeNode } from "../../../core/session-store/entries.js";
import { harmless, textOf } from "../messages/plain-text.js";
import { promptLine } from "../messages/prompt-line.js";

export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

export interface TreeRow {
  entry: SessionEntry;
  /** One level for each branching above. */
  depth: number;
  isOnPath: boolean;
  /** Has rows below that a fold hides. */
  isFoldable: boolean;
  isFolded: boolean;
  label?: string;
  labelTimestamp?: string;
  text: string;
}

export interface TreeView {
  filter: TreeFilter;
  query: string;
  folded: ReadonlySet<string>;
  leafId: string | null;
}

/** Kinds that say nothing about the conversation. */
const QUIET = new Set(["label", "context_edit", "custom", "model_change", "thinking_level_change", "session_info"]);

export function treeRows(roots: readonly SessionTreeNode[], view: TreeView): TreeRow[] {
  const path = pathTo(roots, view.leafId);
  const words = view.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rows: TreeRow[] = [];
  // A conversation may be longer than the stack is deep.
  const open: { node: SessionTreeNode; depth: number }[] = sorted(roots, path).map((node) => ({
    node,
    depth: roots.length > 1 ? 1 : 0,
  }));
  open.reverse();
  while (open.length > 0) {
    const next = open.pop();
    if (!next) break;
    const { node, depth } = next;
    const { entry, label, labelTimestamp } = node;
    const isBranching = node.children.length > 1;
    const isFolded = view.folded.has(entry.id);
    if (isShown(node, view, words)) {
      rows.push({
        entry,
        depth,
        isOnPath: path.has(entry.id),
        isFoldable: isBranching || isFolded,
        isFolded,
        ...(label !== undefined && { label }),
        ...(labelTimestamp !== undefined && { labelTimestamp }),
        text: entryText(entry),
      });
    }
    if (isFolded) continue;
    const children = sorted(node.children, path).map((child) => ({
      node: child,
      depth: depth + (isBranching ? 1 : 0),
    }));
    open.push(...children.reverse());
  }
  return rows;
}

/** The active branch comes first. */
function sorted(nodes: readonly SessionTreeNode[], path: ReadonlySet<string>): SessionTreeNode[] {
  return [...nodes].sort((a, b) => Number(path.has(b.entry.id)) - Number(path.has(a.entry.id)));
}

function pathTo(roots: readonly SessionTreeNode[], leafId: string | null): Set<string> {
  const parents = new Map<string, string | null>();
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    parents.set(node.entry.id, node.entry.parentId);
    open.push(...node.children);
  }
  const path = new Set<string>();
  for (let id = leafId; id !== null && !path.has(id); id = parents.get(id) ?? null) path.add(id);
  return path;
}

function isShown({ entry, label }: SessionTreeNode, view: TreeView, words: readonly string[]): boolean {
  if (entry.type === "usage") return false;
  if (entry.type === "message") {
    const { message } = entry;
    if (message.role === "system" && view.filter !== "all") return false;
    if (message.role === "assistant" && entry.id !== view.leafId) {
      const isSilent = textOf(message.content).trim() === "";
      if (isSilent && message.stopReason !== "error" && message.stopReason !== "aborted") return false;
    }
  }
  if (!passes(entry, label, view.filter)) return false;
  if (words.length === 0) return true;
  const text = `${label ?? ""} ${entryText(entry)}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function passes(entry: SessionEntry, label: string | undefined, filter: TreeFilter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "labeled-only":
      return label !== undefined;
    case "user-only":
      return entry.type === "message" && entry.message.role === "user";
    case "no-tools":
      return !QUIET.has(entry.type) && !(entry.type === "message" && entry.message.role === "toolResult");
    case "default":
      return !QUIET.has(entry.type);
  }
}

const MAX_TEXT = 300;

/** One line about an entry. */
export function entryText(entry: SessionEntry): string {
  return harmless(wholeText(entry)).replace(/\s+/g, " ").trim().slice(0, MAX_TEXT);
}

function wholeText(entry: SessionEntry): string {
  switch (entry.type) {
    case "message":
      return messageText(entry.message);
    case "compaction":
      return `[compaction] ${entry.summary}`;
    case "branch_summary":
      return `[branch] ${entry.summary}`;
    case "custom_message":
      return `[${entry.customType}] ${textOf(entry.content)}`;
    case "custom":
      return `[${entry.customType}]`;
    case "model_change":
      return `[model] ${entry.provider}/${entry.modelId}`;
    case "thinking_level_change":
      return `[thinking] ${entry.thinkingLevel}`;
    case "session_info":
      return `[name] ${entry.name ?? ""}`;
    case "label":
      return `[label] ${entry.label ?? ""}`;
    case "context_edit":
      return "[context edit]";
    case "usage":
      return "[usage]";
  }
}

function messageText(message: Extract<SessionEntry, { type: "message" }>["message"]): string {
  switch (message.role) {
    case "user":
      return `user: ${promptLine(textOf(message.content))}`;
    case "assistant": {
      const text = textOf(message.content).trim();
      if (text !== "") return `assistant: ${text}`;
      if (message.stopReason === "error") return `assistant: (error) ${message.errorMessage ?? ""}`;
      return message.stopReason === "aborted" ? "assistant: (aborted)" : "assistant: (no text)";
    }
    case "toolResult":
      return `[${message.toolName}] ${textOf(message.content)}`;
    case "bashExecution":
      return `$ ${message.command}`;
    case "system":
      return "[system]";
    case "custom":
      return `[${message.customType}] ${textOf(message.content)}`;
    case "branchSummary":
    case "compactionSummary":
      return message.summary;
    default:
      return "";
  }
}
