import type { MessageSocket } from "../../http/web-socket.js";
import { registerSessionResourceCleanup } from "../../session-resources.js";
import type { Continuation } from "./codex-continuation.js";

/** How long a connection waits for the next request of its session, in ms. */
const REST_MS = 5 * 60_000;

/** An open connection, and what the server at its other end still knows. */
export interface CodexConnection {
  socket: MessageSocket;
  /** Whom it was opened for: another account or address needs another connection. */
  key: string;
  continuation: Continuation | undefined;
}

/** What is kept for a session. */
interface SessionState {
  resting: CodexConnection | undefined;
  timer: NodeJS.Timeout | undefined;
  /** A connection failed: the session's requests go over HTTP. */
  overHttp: boolean;
}

// Global because sessions end, and are ended, from outside of the API (see session-resources.ts).
const sessions = new Map<string, SessionState>();
let isRegistered = false;

/** Takes the resting connection of a session; it belongs to the caller until it is put back. */
export function takeConnection(session: string | undefined, key: string): CodexConnection | undefined {
  const state = session === undefined ? undefined : sessions.get(session);
  const resting = state?.resting;
  if (!state || !resting) return undefined;
  clearTimeout(state.timer);
  state.resting = undefined;
  if (resting.key === key && resting.socket.isOpen) return resting;
  resting.socket.close();
  return undefined;
}

/** Lets a connection rest until the session's next request; without a session it ends. */
export function putConnection(session: string | undefined, connection: CodexConnection): void {
  const state = session === undefined ? undefined : stateOf(session);
  if (!state) {
    connection.socket.close();
    return;
  }
  // Requests side by side open connections of their own; the latest answer is the one to go on from.
  state.resting?.socket.close();
  clearTimeout(state.timer);
  state.resting = connection;
  state.timer = setTimeout(() => {
    if (state.resting === connection) state.resting = undefined;
    connection.socket.close();
  }, REST_MS);
  state.timer.unref();
}

/** True when the session's requests are to go over HTTP. */
export function isOverHttp(session: string | undefined): boolean {
  return session !== undefined && sessions.get(session)?.overHttp === true;
}

/** Sends the session's further requests over HTTP. */
export function goOverHttp(session: string | undefined): void {
  if (session !== undefined) stateOf(session).overHttp = true;
}

function stateOf(session: string): SessionState {
  if (!isRegistered) registerSessionResourceCleanup(forget);
  isRegistered = true;
  let state = sessions.get(session);
  if (!state) {
    state = { resting: undefined, timer: undefined, overHttp: false };
    sessions.set(session, state);
  }
  return state;
}

function forget(sessionId?: string): void {
  for (const [session, state] of sessions) {
    if (sessionId !== undefined && sessionId !== session) continue;
    clearTimeout(state.timer);
    state.resting?.socket.close();
    sessions.delete(session);
  }
}
