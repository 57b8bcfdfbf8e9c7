/** The contract of the orchestrator: what its table holds, what clients ask, and what they are told. */
import type { ImageContent, RpcExtensionUIRequest } from "./agent-protocol.js";

/**
 * `queued`: waits for a place. `starting`: its first process. `restarting`: a later one, or the wait before it.
 * `stopped`: has no process, and a prompt or a start of the supervisor may give it one. `error`: given up.
 */
export type InstanceStatus = (typeof instanceStatuses)[number];

export const instanceStatuses = ["queued", "starting", "online", "restarting", "stopping", "stopped", "error"] as const;

/** When an agent that ended by itself is started again, from its session. */
export type RestartPolicy = "never" | "on-failure" | "always";

export const restartPolicies: readonly RestartPolicy[] = ["never", "on-failure", "always"];

/** The process that keeps the pipes of an agent. */
export interface HolderRecord {
  id: string;
  pid: number;
}

/** One agent, as the table keeps it. Times are ISO 8601. */
export interface InstanceRecord {
  id: string;
  status: InstanceStatus;
  cwd: string;
  createdAt: string;
  lastSeenAt?: string;
  label?: string;
  sessionId?: string;
  /** Absent for a session in memory. */
  sessionFile?: string;
  provider?: string;
  model?: string;
  /** Further arguments of the agent. */
  args?: string[];
  policy: RestartPolicy;
  /** Counts the processes it has had. */
  generation: number;
  /** Starts after an end that was not asked for. */
  restarts: number;
  /** Times in ms of those in the window that counts for giving up. */
  failures?: number[];
  pid?: number;
  /** When the process started, as the system counts it; with `pid` it names one process. */
  startTime?: string;
  holder?: HolderRecord;
  exitCode?: number | null;
  signal?: string | null;
  /** Why it is as it is, when that was not asked for. */
  reason?: string;
  memoryMb?: number;
  idleSeconds?: number;
  /** Between the acceptance of a prompt and `agent_settled`. */
  isStreaming?: boolean;
}

/** `interrupted`: is in no session and will not run; whoever sent it decides whether to send it again. */
export type PromptState =
  | "accepted"
  | "forwarded"
  | "started"
  | "queued"
  | "handled"
  | "delivered"
  | "rejected"
  | "interrupted";

/** What became of a prompt. `delivered`, `handled`, `rejected` and `interrupted` are final. */
export interface PromptRecord {
  promptId: string;
  state: PromptState;
  at: string;
  /** Of the message in the session. */
  entryId?: string;
  error?: string;
}

/** A dialog that waits for an answer. */
export type Dialog = Extract<RpcExtensionUIRequest, { method: "select" | "confirm" | "input" | "editor" }>;

export interface SpawnOptions {
  cwd: string;
  label?: string;
  provider?: string;
  model?: string;
  args?: string[];
  /** Default `on-failure`. */
  policy?: RestartPolicy;
  /** Resident memory of the agent process after which it is started anew. Default: the supervisor's. */
  memoryMb?: number;
  /** Without work for so long, its process is ended until the next prompt. Default: the supervisor's. */
  idleSeconds?: number;
  /** The id it shall have. Asking twice with the same id gives the same instance. */
  instanceId?: string;
}

export interface PromptOptions {
  message: string;
  images?: ImageContent[];
  /** When the agent is at work. Default `followUp`. */
  streamingBehavior?: "steer" | "followUp";
  /** The id it shall have. A prompt that is known by its id is not taken a second time. */
  promptId?: string;
}

export type OrchestratorRequest =
  | { type: "hello" }
  | ({ type: "spawn" } & SpawnOptions)
  | { type: "list" }
  | { type: "status"; instanceId: string }
  | { type: "stop"; instanceId: string }
  | { type: "rpc"; instanceId: string; command: { type: string; [field: string]: unknown } }
  | {
      type: "rpc_stream";
      instanceId: string;
      /** Asks for frames with cursors. Empty: from the beginning of the session; `now`: only what comes. */
      cursor?: string;
    }
  | ({ type: "prompt"; instanceId: string } & PromptOptions)
  | { type: "prompts"; instanceId: string }
  | { type: "logs"; instanceId?: string; lines?: number };

export interface OrchestratorResults {
  hello: { type: "hello_result"; ok: true; protocol: 1; version: string; pid: number; gateway?: string };
  spawn: { type: "spawn_result"; ok: true; instance: InstanceRecord };
  list: { type: "list_result"; ok: true; instances: InstanceRecord[] };
  status: { type: "status_result"; ok: true; instance: InstanceRecord; dialogs: Dialog[]; prompts: PromptRecord[] };
  stop: { type: "stop_result"; ok: true; instanceId: string; interrupted: string[] };
  rpc: { type: "rpc_result"; ok: true; response: unknown };
  rpc_stream: { type: "rpc_ready"; ok: true; instance: InstanceRecord };
  prompt: { type: "prompt_result"; ok: true; prompt: PromptRecord };
  prompts: { type: "prompts_result"; ok: true; prompts: PromptRecord[] };
  logs: { type: "logs_result"; ok: true; lines: string[] };
}

export interface ErrorAnswer {
  type: "error";
  ok: false;
  error: string;
}

/**
 * Frames of a stream with cursors. `cursor` is opaque: given to the next `rpc_stream`, nothing that came after it is
 * missed. Entries come each exactly once and in the order of the session; events, as they happen.
 */
export type StreamFrame =
  | { type: "entry"; cursor: string; entry: unknown }
  | { type: "event"; cursor: string; event: unknown }
  /** Events were left out; entries never are. */
  | { type: "gap"; cursor: string; missed: number | null }
  /** Entries begin anew: the agent works on another session. */
  | { type: "session_changed"; cursor: string; sessionId?: string }
  | { type: "instance"; instance: InstanceRecord }
  | { type: "prompt_state"; prompt: PromptRecord }
  /** It was answered, or its time is over. */
  | { type: "dialog_closed"; dialogId: string };
