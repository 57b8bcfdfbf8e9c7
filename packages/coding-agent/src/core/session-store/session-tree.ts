import type { SessionTreeNode } from "./entries.js";
import type { EntryStore } from "./entry-store.js";
import type { LabelMap } from "./labels.js";
import { TreeOrder } from "./tree-order.js";

/** All roots with their children, oldest first. Does not recurse: chains are thousands of entries deep. */
export function sessionTree(store: EntryStore, labels: LabelMap): SessionTreeNode[] {
  const { index } = store;
  const nodes: SessionTreeNode[] = [];
  for (let at = 0; at < index.count; at++) {
    nodes.push({ entry: store.entry(at), children: [], ...labels.get(index.id(at)) });
  }
  const order = new TreeOrder(index);
  const nodesOf = (numbers: readonly number[]) => numbers.map((at) => nodes[at] as SessionTreeNode);
  for (const [at, node] of nodes.entries()) node.children = nodesOf(order.children(at));
  return nodesOf(order.roots());
}
