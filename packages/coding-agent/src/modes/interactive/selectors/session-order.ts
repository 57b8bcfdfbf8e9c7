/** Which sessions a list shows, and in which order. Pure. Source: tui.md section B6. */
import { fuzzyMatch } from "@earendil-works/pi-tui";
import type { SessionInfo } from "../../../core/session-store/session-summary.js";

export type SessionSort = "threaded" | "recent" | "fuzzy";
export const SESSION_SORTS: readonly SessionSort[] = ["threaded", "recent", "fuzzy"];

export interface ListedSession {
  info: SessionInfo;
  /** How many ancestors of it are in the list. */
  depth: number;
}

export interface SessionView {
  sort: SessionSort;
  namedOnly: boolean;
  /** `re:` begins a regular expression, quotes make a phrase, everything else has to occur word by word. */
  query: string;
}

export function listedSessions(
  sessions: readonly SessionInfo[],
  { sort, namedOnly, query }: SessionView,
): ListedSession[] {
  const wanted = namedOnly ? sessions.filter(({ name }) => name !== undefined) : sessions;
  const text = query.trim();
  if (text !== "" && sort === "fuzzy" && !text.startsWith("re:") && !text.startsWith('"')) return byScore(wanted, text);
  const found = text === "" ? wanted : wanted.filter(matcher(text));
  return sort === "threaded" ? threaded(found) : found.map((info) => ({ info, depth: 0 }));
}

function matcher(query: string): (info: SessionInfo) => boolean {
  if (query.startsWith("re:")) {
    try {
      const pattern = new RegExp(query.slice(3).trim(), "i");
      return (info) => pattern.test(searchText(info));
    } catch {
      // Half a pattern, while it is typed: nothing matches yet.
      return () => false;
    }
  }
  const parts = [...query.toLowerCase().matchAll(/"([^"]*)"?|(\S+)/g)].map(([, phrase, word]) => phrase ?? word ?? "");
  return (info) => {
    const text = searchText(info).toLowerCase();
    return parts.every((part) => text.includes(part));
  };
}

function searchText(info: SessionInfo): string {
  return `${info.id} ${info.name ?? ""} ${info.cwd} ${info.allMessagesText}`;
}

function byScore(sessions: readonly SessionInfo[], query: string): ListedSession[] {
  return sessions
    .flatMap((info) => {
      const { matches, score } = fuzzyMatch(query, `${info.name ?? ""} ${info.firstMessage}`);
      return matches ? [{ info, score }] : [];
    })
    .sort((a, b) => a.score - b.score)
    .map(({ info }) => ({ info, depth: 0 }));
}

/** Forks stand below what they were forked from; the threads by their newest session. */
function threaded(sessions: readonly SessionInfo[]): ListedSession[] {
  const paths = new Set(sessions.map(({ path }) => path));
  const children = new Map<string, SessionInfo[]>();
  const roots: SessionInfo[] = [];
  for (const info of sessions) {
    const parent = info.parentSessionPath;
    if (parent === undefined || !paths.has(parent) || parent === info.path) roots.push(info);
    else children.set(parent, [...(children.get(parent) ?? []), info]);
  }
  const newest = (info: SessionInfo, seen: ReadonlySet<string>): number => {
    if (seen.has(info.path)) return 0;
    const deeper = new Set([...seen, info.path]);
    return Math.max(info.modified.getTime(), ...(children.get(info.path) ?? []).map((child) => newest(child, deeper)));
  };
  const listed: ListedSession[] = [];
  const done = new Set<string>();
  const add = (info: SessionInfo, depth: number) => {
    if (done.has(info.path)) return;
    done.add(info.path);
    listed.push({ info, depth });
    for (const child of children.get(info.path) ?? []) add(child, depth + 1);
  };
  const none: ReadonlySet<string> = new Set();
  for (const root of roots.toSorted((a, b) => newest(b, none) - newest(a, none))) add(root, 0);
  // Sessions that are each other's parents have no root.
  for (const info of sessions) add(info, 0);
  return listed;
}

/** `now`, `5m`, `3h`, `2d`, `4w`, `7mo`, `2y`. */
export function ageText(then: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 14) return `${days}d`;
  if (days < 60) return `${Math.floor(days / 7)}w`;
  return days < 730 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}y`;
}
