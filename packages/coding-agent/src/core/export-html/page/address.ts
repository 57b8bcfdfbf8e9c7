import type { Session } from "./session.js";

/** A place in the session, as links name it: `?leafId=...&targetId=...`. */
export interface Place {
  leaf: number;
  /** -1: no entry in particular. */
  target: number;
}

/** The place that the query of an address names; ids that the session does not have count as absent. */
export function placeOf(query: string, session: Session): Place {
  const parameters = new URLSearchParams(query);
  const target = session.find(parameters.get("targetId") ?? "") ?? -1;
  const named = session.find(parameters.get("leafId") ?? "");
  const leaf =
    named ?? (target < 0 || isOnBranch(session, target, session.leaf) ? session.leaf : session.newestLeaf(target));
  return { leaf, target };
}

/** The address of the page at a place. */
export function addressOf(base: string, session: Session, { leaf, target }: Place): string {
  const address = new URL(base);
  address.search = "";
  address.hash = "";
  const ids = { leafId: session.entries[leaf]?.id, targetId: session.entries[target]?.id };
  for (const [name, id] of Object.entries(ids)) if (id !== undefined) address.searchParams.set(name, id);
  return address.href;
}

/** Whether the entry is between the root and the leaf. */
export function isOnBranch(session: Session, at: number, leaf: number): boolean {
  return session.path(leaf).some((entry) => entry.at === at);
}
