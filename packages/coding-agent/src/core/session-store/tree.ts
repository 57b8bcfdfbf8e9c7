/** The tree that the entries of a session form. Pure. */
import type { LabelEntry, SessionEntry, SessionTreeNode } from "./entries.js";
import { timeOf } from "./repair.js";

/** The last label of each entry, whatever the branch. */
export function latestLabels(entries: readonly SessionEntry[]): Map<string, LabelEntry> {
  const labels = new Map<string, LabelEntry>();
  for (const entry of entries) {
    if (entry.type !== "label") continue;
    if (entry.label) labels.set(entry.targetId, entry);
    else labels.delete(entry.targetId);
  }
  return labels;
}

/**
 * All roots with their children, oldest first. Orphans and entries that are their own parent are roots. Does not
 * recurse: chains are thousands of entries deep.
 */
export function buildTree(entries: readonly SessionEntry[]): SessionTreeNode[] {
  const labels = latestLabels(entries);
  const nodes = new Map<string, SessionTreeNode>();
  for (const entry of entries) {
    const label = labels.get(entry.id);
    nodes.set(entry.id, {
      entry,
      children: [],
      ...(label?.label && { label: label.label, labelTimestamp: label.timestamp }),
    });
  }
  const roots: SessionTreeNode[] = [];
  for (const node of nodes.values()) {
    const { id, parentId } = node.entry;
    const parent = parentId !== null && parentId !== id ? nodes.get(parentId) : undefined;
    (parent?.children ?? roots).push(node);
  }
  const byTime = (a: SessionTreeNode, b: SessionTreeNode) => timeOf(a.entry.timestamp) - timeOf(b.entry.timestamp);
  for (const node of nodes.values()) node.children.sort(byTime);
  return roots.sort(byTime);
}
