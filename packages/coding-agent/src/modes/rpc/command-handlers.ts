/** What each command does. Source: protocol.md section 3. */
import type { AgentMessage, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { AgentSession } from "../../core/agent-session.js";
import type { AgentSessionRuntime } from "../../core/agent-session-runtime.js";
import type { SlashCommandInfo } from "../../core/extensions/types.js";
import { forWire } from "../../core/messages.js";
import { oneLine } from "../../core/without-controls.js";
import type { RpcCommand, RpcCommandType, RpcResponseData, RpcSessionState, RpcSlashCommand } from "./rpc-types.js";

/**
 * JSON of the response's `data` around pieces of it: for what may be larger than memory should hold twice. The first
 * piece is made at once, so that what cannot be read at all is an error of the command.
 */
export class JsonPieces {
  readonly #first: IteratorResult<string | Uint8Array>;
  readonly #rest: Iterator<string | Uint8Array>;

  /** @throws what making the first piece throws */
  constructor(
    readonly before: string,
    pieces: Iterable<string | Uint8Array>,
    readonly after: string,
  ) {
    this.#rest = pieces[Symbol.iterator]();
    this.#first = this.#rest.next();
  }

  /** To be asked for once. */
  *[Symbol.iterator](): Generator<string | Uint8Array, void> {
    yield this.before;
    for (let piece = this.#first; !piece.done; piece = this.#rest.next()) yield piece.value;
    yield this.after;
  }
}

type CommandOf<Type extends RpcCommandType> = Extract<RpcCommand, { type: Type }>;

type Handlers = {
  readonly [Type in RpcCommandType]: (
    runtime: AgentSessionRuntime,
    command: CommandOf<Type>,
    /** Settles when the client has read what was written; undefined while it keeps up. */
    readerReady: () => Promise<void> | undefined,
  ) => Promise<RpcResponseData[Type] | JsonPieces> | RpcResponseData[Type] | JsonPieces;
};

/** All but `prompt`, whose response comes before its run ends. */
export const commandHandlers: Omit<Handlers, "prompt"> = {
  steer: async ({ session }, { message, images }) => ({
    disposition: await session.steer(message, images, { source: "rpc" }),
  }),
  follow_up: async ({ session }, { message, images }) => ({
    disposition: await session.followUp(message, images, { source: "rpc" }),
  }),
  abort: async ({ session }) => {
    await session.abort();
    return undefined;
  },
  clear_queue: ({ session }) => session.clearQueue(),
  new_session: (runtime, { parentSession }) => runtime.newSession({ parentSession }),
  get_state: ({ session }) => stateOf(session),
  get_messages: ({ session }) => messagePieces(session),
  set_model: async ({ session }, { provider, modelId }) => {
    const model = session.modelRuntime.getModel(provider, modelId);
    if (!model) throw new Error(`Model not found: ${provider}/${modelId}`);
    await session.setModel(model);
    return model;
  },
  cycle_model: async ({ session }) => (await session.cycleModel()) ?? null,
  get_available_models: async ({ session }) => ({ models: [...(await session.modelRuntime.getAvailable())] }),
  set_thinking_level: ({ session }, { level }) => {
    session.setThinkingLevel(level);
    return undefined;
  },
  cycle_thinking_level: ({ session }) => {
    const level = session.cycleThinkingLevel();
    return level === undefined ? null : { level };
  },
  get_available_thinking_levels: ({ session }): { levels: ThinkingLevel[] } => ({
    levels: session.getAvailableThinkingLevels(),
  }),
  set_steering_mode: ({ session }, { mode }) => {
    session.setSteeringMode(mode);
    return saved(session);
  },
  set_follow_up_mode: ({ session }, { mode }) => {
    session.setFollowUpMode(mode);
    return saved(session);
  },
  compact: ({ session }, { customInstructions }) => session.compact(customInstructions),
  set_auto_compaction: ({ session }, { enabled }) => {
    session.setAutoCompactionEnabled(enabled);
    return saved(session);
  },
  set_auto_retry: ({ session }, { enabled }) => {
    session.setAutoRetryEnabled(enabled);
    return saved(session);
  },
  abort_retry: ({ session }) => {
    session.abortRetry();
    return undefined;
  },
  bash: ({ session }, { id, command, excludeFromContext }, readerReady) =>
    session.executeBash(command, readerReady, { excludeFromContext, id }),
  abort_bash: ({ session }) => {
    session.abortBash();
    return undefined;
  },
  get_session_stats: ({ session }) => session.getSessionStats(),
  export_html: async ({ session }, { outputPath }) => ({ path: await session.exportToHtml(outputPath) }),
  switch_session: (runtime, { sessionPath }) => runtime.switchSession(sessionPath),
  fork: async (runtime, { entryId }) => {
    const { session } = runtime;
    const { cancelled, selectedText } = await runtime.fork(entryId);
    const prompt = () => session.getUserMessagesForForking().find((message) => message.entryId === entryId)?.text;
    return { text: selectedText ?? prompt() ?? "", cancelled };
  },
  clone: (runtime) => runtime.clone(),
  get_fork_messages: ({ session }) => ({ messages: session.getUserMessagesForForking() }),
  get_entries: ({ session: { sessionManager } }, { since }) => {
    if (since !== undefined && !sessionManager.getEntry(since)) throw new Error(`Entry not found: ${since}`);
    return withLeaf("entries", sessionManager.entriesJson(since), sessionManager.getLeafId());
  },
  get_tree: ({ session: { sessionManager } }) =>
    withLeaf("tree", sessionManager.treeJson(), sessionManager.getLeafId()),
  get_last_assistant_text: ({ session }) => ({ text: session.getLastAssistantText() ?? null }),
  set_session_name: ({ session }, { name }) => {
    if (oneLine(name) === "") throw new Error("Session name cannot be empty");
    session.setSessionName(name);
    return undefined;
  },
  get_commands: ({ session }) => ({ commands: session.getCommands().map(slashCommand) }),
};

/** Settings are on disk before the response. */
async function saved(session: AgentSession): Promise<undefined> {
  await session.settingsManager.flush();
  return undefined;
}

/** Commands of extensions have no location of their own, only the path of their extension. */
function slashCommand(command: SlashCommandInfo): RpcSlashCommand {
  const { source, sourceInfo } = command;
  if (source === "extension") return { ...command, path: sourceInfo.path };
  const location = sourceInfo.scope === "temporary" ? "path" : sourceInfo.scope;
  return { ...command, location, path: sourceInfo.path };
}

function stateOf(session: AgentSession): RpcSessionState {
  const { sessionFile, sessionName } = session;
  return {
    model: session.model ?? null,
    thinkingLevel: session.thinkingLevel,
    isStreaming: session.isStreaming,
    isCompacting: session.isCompacting,
    steeringMode: session.steeringMode,
    followUpMode: session.followUpMode,
    ...(sessionFile !== undefined && { sessionFile }),
    sessionId: session.sessionId,
    ...(sessionName !== undefined && { sessionName }),
    autoCompactionEnabled: session.autoCompactionEnabled,
    messageCount: session.messageCount,
    pendingMessageCount: session.pendingMessageCount,
  };
}

/** A context that nobody has read yet goes from the file to the client as it is. */
function messagePieces(session: AgentSession): JsonPieces {
  const { isContextRead, sessionManager } = session;
  const pieces = isContextRead ? jsonArray(session.messages) : sessionManager.contextMessagesJson(forWire);
  return new JsonPieces('{"messages":', pieces, "}");
}

/** One message at a time: the text of a long conversation is never whole in memory. */
function* jsonArray(messages: readonly AgentMessage[]): Generator<string> {
  let separator = "[";
  // A copy: the run goes on while the reader reads.
  for (const message of [...messages]) {
    yield separator + JSON.stringify(forWire(message));
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

function withLeaf(key: string, pieces: Iterable<string | Uint8Array>, leafId: string | null): JsonPieces {
  return new JsonPieces(`{"${key}":`, pieces, `,"leafId":${JSON.stringify(leafId)}}`);
}
