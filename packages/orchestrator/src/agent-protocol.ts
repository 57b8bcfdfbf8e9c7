/** What is used of the agents' protocol: types only, since nothing of an agent is loaded here. */
import type { RpcCommand } from "@earendil-works/pi-coding-agent";

export type { RpcExtensionUIRequest } from "@earendil-works/pi-coding-agent";

export type ImageContent = NonNullable<Extract<RpcCommand, { type: "prompt" }>["images"]>[number];

/** Commands whose message must end up in the session. */
export const promptCommands: ReadonlySet<string> = new Set(["prompt", "steer", "follow_up"]);

/** After these, the agent may work on another session. */
export const sessionCommands: ReadonlySet<string> = new Set([
  "new_session",
  "switch_session",
  "fork",
  "clone",
  "set_session_name",
]);

/** Dialogs wait for an answer; the other methods only show something. */
export const dialogMethods: ReadonlySet<string> = new Set(["select", "confirm", "input", "editor"]);

const head = /^\{(?:"id":("(?:[^"\\]|\\.)*"),)?(?:"command":"[a-z_]+",)?"type":"([a-z_]+)"/;

/**
 * Id (as JSON) and type of a record, without parsing what may be long when its first keys are in the usual order.
 * Undefined for what is no record.
 */
export function headOf(line: string): { id: string | undefined; type: string } | undefined {
  const match = head.exec(line);
  if (match) return { id: match[1], type: match[2] as string };
  try {
    const { id, type } = JSON.parse(line) as { id?: unknown; type?: unknown };
    return typeof type === "string" ? { id: id === undefined ? undefined : JSON.stringify(id), type } : undefined;
  } catch {
    return undefined;
  }
}
