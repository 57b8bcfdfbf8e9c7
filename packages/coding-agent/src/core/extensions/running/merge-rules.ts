/**
 * How the answers of several handlers to one event become one: the merge table of extensions.md section 6, in code.
 * Handlers are asked in load order; a rule may change the event, so that the next handler sees what the last one made.
 */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { CustomMessageInput } from "../types/context.js";
import type { ExtensionEventName, ExtensionEventOf, ExtensionResultOf } from "../types/event-map.js";
import type { ToolCallEventResult, UserBashEventResult } from "../types/tool-events.js";

/** @typeParam A what the answers add up to */
export interface MergeRule<E, R, A = R> {
  /** What is wrong with an answer; it counts as none then. */
  fault(result: R, event: E): string | undefined;
  /** Takes one more answer in. */
  merge(sum: A | undefined, result: R, event: E): A | undefined;
  /** No further handler is asked. */
  isFinal?(sum: A): boolean;
  /** The sum after a handler that threw; it is final. Without this a throw counts as no answer. */
  afterThrow?(message: string, thrown: unknown): A;
  /** The answer of a handler that was not waited for any more after an abort. Without this there is none. */
  afterAbandon?: { cancel: true };
  /** Whoever asked tells what was thrown: it is no error of the extension besides. */
  isThrowAnAnswer?: true;
}

/** Everything `before_agent_start` handlers want. */
export interface BeforeAgentStartSum {
  messages: CustomMessageInput[];
  systemPrompt?: string;
}

/** What handlers made of a command of the user; `failure`: it must not run. */
export type UserBashSum = UserBashEventResult | { failure: string };

/** What each event's answers add up to, where it is not simply an answer. */
interface SpecialSums {
  before_agent_start: BeforeAgentStartSum;
  user_bash: UserBashSum;
}

export type SumOf<Name extends ExtensionEventName> = Name extends keyof SpecialSums
  ? SpecialSums[Name]
  : ExtensionResultOf<Name>;

type Rules = {
  readonly [Name in ExtensionEventName]?: MergeRule<ExtensionEventOf<Name>, ExtensionResultOf<Name>, SumOf<Name>>;
};

/** A cancellation ends it; else the last answer counts. Who was not heard to the end has not agreed. */
function cancellable<E, R extends { cancel?: boolean | undefined }>(
  fault: (result: R) => string | undefined = () => undefined,
): MergeRule<E, R> {
  return {
    afterAbandon: { cancel: true },
    fault: (result) => objectFault(result) ?? fault(result),
    merge: (_sum, result) => result,
    isFinal: ({ cancel }) => cancel === true,
  };
}

/** Conversations are handed on from handler to handler. */
const conversation: MergeRule<{ messages: AgentMessage[] }, { messages?: AgentMessage[] | undefined }> = {
  fault: (result) => objectFault(result) ?? messagesFault(result.messages),
  merge(_sum, result, event) {
    if (result.messages) event.messages = result.messages;
    return { messages: event.messages };
  },
};

type Boundary = Pick<ExtensionEventOf<"agent_before_settle">, "entries" | "continue">;

/** A field that is given replaces that field. */
const boundary: MergeRule<Boundary, ExtensionResultOf<"agent_before_settle">> = {
  fault: (result) =>
    objectFault(result) ??
    (result.entries !== undefined && !Array.isArray(result.entries) ? '"entries" is no list' : undefined),
  merge(_sum, result, event) {
    if (result.entries) event.entries = result.entries;
    if (result.continue !== undefined) event.continue = result.continue === true;
    return { entries: event.entries, continue: event.continue };
  },
};

export const mergeRules: Rules = {
  resources_discover: {
    fault: (result) => objectFault(result) ?? pathsFault(result),
    merge: (sum = {}, { skillPaths = [], promptPaths = [], themePaths = [] }) => ({
      skillPaths: [...(sum.skillPaths ?? []), ...skillPaths],
      promptPaths: [...(sum.promptPaths ?? []), ...promptPaths],
      themePaths: [...(sum.themePaths ?? []), ...themePaths],
    }),
  },
  session_before_switch: cancellable(),
  session_before_fork: cancellable(),
  session_before_compact: cancellable(({ compaction }) =>
    compaction !== undefined &&
    !(isObject(compaction) && typeof compaction.summary === "string" && typeof compaction.firstKeptEntryId === "string")
      ? '"compaction" needs the texts "summary" and "firstKeptEntryId"'
      : undefined,
  ),
  session_before_tree: cancellable(({ summary }) =>
    summary !== undefined && !(isObject(summary) && typeof summary.summary === "string")
      ? '"summary" needs the text "summary"'
      : undefined,
  ),
  input: {
    fault(result) {
      const fault = objectFault(result);
      if (fault) return fault;
      if (!["continue", "transform", "handled"].includes(result.action)) {
        return '"action" is none of continue, transform, handled';
      }
      if (result.action !== "transform") return undefined;
      if (typeof result.text !== "string") return '"transform" needs a "text"';
      return result.images === undefined || Array.isArray(result.images) ? undefined : '"images" is no list';
    },
    merge(sum, result, event) {
      if (result.action === "continue") return sum;
      if (result.action === "handled") return result;
      event.text = result.text;
      if (result.images) event.images = result.images;
      return { action: "transform", text: event.text, images: event.images };
    },
    isFinal: ({ action }) => action === "handled",
  },
  before_agent_start: {
    fault(result) {
      const fault = objectFault(result);
      if (fault) return fault;
      if (result.systemPrompt !== undefined && typeof result.systemPrompt !== "string") {
        return '"systemPrompt" is no text';
      }
      const { message } = result;
      return message === undefined || (isObject(message) && typeof message.customType === "string")
        ? undefined
        : '"message" needs a "customType"';
    },
    merge(sum = { messages: [] }, { message, systemPrompt }, event) {
      // The next handler sees it, and so does whoever asks for the prompt.
      if (systemPrompt !== undefined) event.systemPromptOptions.forceSystemPrompt = systemPrompt;
      return {
        messages: message ? [...sum.messages, message] : sum.messages,
        ...(sum.systemPrompt !== undefined && { systemPrompt: sum.systemPrompt }),
        ...(systemPrompt !== undefined && { systemPrompt }),
      };
    },
  },
  context: conversation,
  context_with_system: conversation,
  before_provider_request: {
    fault: () => undefined,
    merge(_sum, result, event) {
      event.payload = result;
      return result;
    },
  },
  message_end: {
    fault(result, event) {
      const fault = objectFault(result);
      if (fault) return fault;
      const { message } = result;
      if (message === undefined) return undefined;
      if (isObject(message) && message.role === event.message.role) return undefined;
      return "message_end handlers must return a message with the same role";
    },
    merge(sum, { message }, event) {
      if (!message) return sum;
      event.message = message;
      return { message };
    },
  },
  turn_end: boundary,
  agent_before_settle: boundary,
  tool_call: {
    fault: objectFault,
    merge: (_sum, result) => result,
    isFinal: ({ block }) => block === true,
    isThrowAnAnswer: true,
    // A gate that is broken stays shut.
    afterThrow: (message, thrown): ToolCallEventResult => ({
      block: true,
      reason: thrown instanceof Error ? message : `Extension failed, blocking execution: ${message}`,
    }),
  },
  tool_result: {
    fault: (result) =>
      objectFault(result) ??
      (result.content !== undefined && !Array.isArray(result.content) ? '"content" is no list' : undefined),
    merge(sum = {}, result, event) {
      const { content, details, structuredContent, isError, usage } = result;
      const patch = {
        ...(content !== undefined && { content }),
        ...(details !== undefined && { details }),
        // The structured form described the old content.
        ...((structuredContent !== undefined || content !== undefined) && { structuredContent }),
        ...(isError !== undefined && { isError }),
        ...(usage !== undefined && { usage }),
      };
      Object.assign(event, patch);
      return { ...sum, ...patch };
    },
  },
  user_bash: {
    fault: () => undefined,
    merge(_sum, result) {
      const fault = objectFault(result) ?? userBashFault(result);
      return fault === undefined ? result : { failure: `user_bash handlers must return one result: ${fault}` };
    },
    isFinal: () => true,
    afterThrow: (failure) => ({ failure }),
  },
  cache_warming_decision: { fault: objectFault, merge: (_sum, result) => result },
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectFault(result: unknown): string | undefined {
  if (isObject(result)) return undefined;
  return `expected an object, got ${result === null ? "null" : Array.isArray(result) ? "a list" : typeof result}`;
}

function messagesFault(messages: unknown): string | undefined {
  if (messages === undefined) return undefined;
  const isSound =
    Array.isArray(messages) && messages.every((entry) => isObject(entry) && typeof entry["role"] === "string");
  return isSound ? undefined : '"messages" is no list of messages';
}

function pathsFault(result: object): string | undefined {
  const bad = Object.entries(result).find(
    ([, paths]) => paths !== undefined && !(Array.isArray(paths) && paths.every((path) => typeof path === "string")),
  );
  return bad && `"${bad[0]}" is no list of paths`;
}

function userBashFault({ operations, result }: UserBashEventResult): string | undefined {
  if ((operations === undefined) === (result === undefined)) return 'give either "operations" or "result"';
  if (operations) return typeof operations.exec === "function" ? undefined : '"operations" has no exec()';
  return isObject(result) && typeof result["output"] === "string" ? undefined : '"result" has no text "output"';
}
