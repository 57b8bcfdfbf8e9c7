import { SECTION_SEPARATOR } from "../text/system-message-text.js";
import type { Message, SystemMessage, Tool, TranscriptContext, TranscriptMessages } from "../types.js";
import { isSystemMessage, systemContentText, toTranscript } from "./context.js";

/** Prompt and tools in force after replaying the system messages of a transcript. Source: llm.md section 2. */
interface ReplayedState {
  contents: string[];
  /** In first-insertion order; a removed section that comes back is appended. */
  sections: Map<string, string>;
  tools: Map<string, Tool>;
  /** Of the first system message. */
  timestamp: number | undefined;
}

function replay(messages: TranscriptMessages): ReplayedState {
  const state: ReplayedState = { contents: [], sections: new Map(), tools: new Map(), timestamp: undefined };
  for (const message of messages) {
    if (!isSystemMessage(message)) continue;
    state.timestamp ??= message.timestamp;
    const content = systemContentText(message);
    if (content) state.contents.push(content);
    for (const [name, value] of Object.entries(message.sections ?? {})) {
      if (value === null) state.sections.delete(name);
      else state.sections.set(name, value);
    }
    applyToolChanges(state.tools, message);
  }
  return state;
}

/** Removals first, then additions; an added name that exists is replaced in its place. */
export function applyToolChanges(tools: Map<string, Tool>, message: SystemMessage): void {
  for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
  for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool);
}

/** The tools in force at the end of the transcript, in order of declaration. */
export function getCurrentTools(messages: TranscriptMessages): Tool[] {
  const tools = new Map<string, Tool>();
  for (const message of messages) if (isSystemMessage(message)) applyToolChanges(tools, message);
  return [...tools.values()];
}

/** The system prompt in force at the end of the transcript; empty when there is none. */
export function getCurrentSystemPrompt(messages: TranscriptMessages): string {
  const { contents, sections } = replay(messages);
  return [...contents, ...sections.values()].filter((part) => part !== "").join(SECTION_SEPARATOR);
}

/** One system message with the state in force at the end of the transcript; undefined when that state is empty. */
export function getCurrentSystemMessage(messages: TranscriptMessages): SystemMessage | undefined {
  const { contents, sections, tools, timestamp } = replay(messages);
  if (contents.length === 0 && sections.size === 0 && tools.size === 0) return undefined;
  const message: SystemMessage = {
    role: "system",
    content: contents.join(SECTION_SEPARATOR),
    timestamp: timestamp ?? 0,
  };
  if (sections.size > 0) message.sections = Object.fromEntries(sections);
  if (tools.size > 0) message.toolsAdded = [...tools.values()];
  return message;
}

/** Replaces all system messages by one leading message with the state they lead to. */
export function collapseSystemMessages(context: TranscriptContext): TranscriptContext {
  const { messages } = context;
  const needsWork = messages.some((message, index) => index > 0 && message.role === "system");
  if (!needsWork) return context;
  const current = getCurrentSystemMessage(messages);
  const others: Message[] = messages.filter((message) => message.role !== "system");
  return toTranscript(current ? [current, ...others] : others);
}

/** The transcript as a model can read it: later system messages stay only where the model accepts them. */
export function resolveTranscript(
  context: TranscriptContext,
  supportsMidConvoSystemMessages: boolean | undefined,
): TranscriptContext {
  return supportsMidConvoSystemMessages ? context : collapseSystemMessages(context);
}
