/**
 * The coding agent's own message kinds, and how they become messages a model knows.
 * Source: agent-and-tools.md section E, sessions.md section 2.
 */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ImageContent, Message, TextContent, UserMessage } from "@earendil-works/pi-ai";

/** A command the user ran with `!`. */
export interface BashExecutionMessage {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode: number | undefined;
  cancelled: boolean;
  truncated: boolean;
  fullOutputPath?: string;
  timestamp: number;
  /** Run with `!!`: kept in the session, never sent to the model. */
  excludeFromContext?: boolean;
}

/** A message of an extension. */
export interface CustomMessage<T = unknown> {
  role: "custom";
  customType: string;
  content: string | (TextContent | ImageContent)[];
  display: boolean;
  details?: T;
  timestamp: number;
}

export interface BranchSummaryMessage {
  role: "branchSummary";
  summary: string;
  fromId: string;
  timestamp: number;
}

export interface CompactionSummaryMessage {
  role: "compactionSummary";
  summary: string;
  tokensBefore: number;
  timestamp: number;
}

declare module "@earendil-works/pi-agent-core" {
  interface CustomAgentMessages {
    bashExecution: BashExecutionMessage;
    custom: CustomMessage;
    branchSummary: BranchSummaryMessage;
    compactionSummary: CompactionSummaryMessage;
  }
}

/** Turns a transcript into what a model is sent. Messages of unknown roles are dropped. */
export function convertToLlm(messages: AgentMessage[]): Message[] {
  const converted: Message[] = [];
  for (const message of messages) {
    const forModel = toModelMessage(message);
    if (forModel) converted.push(forModel);
  }
  return converted;
}

function toModelMessage(message: AgentMessage): Message | undefined {
  switch (message.role) {
    case "system":
    case "user":
    case "assistant":
    case "toolResult":
      return message;
    case "bashExecution":
      return message.excludeFromContext ? undefined : userText(bashExecutionText(message), message.timestamp);
    case "custom":
      return typeof message.content === "string"
        ? userText(message.content, message.timestamp)
        : { role: "user", content: message.content, timestamp: message.timestamp };
    case "branchSummary":
      return userText(
        `The conversation went down another branch before it came back here. Summary of that branch:\n\n<summary>\n${message.summary}\n</summary>`,
        message.timestamp,
      );
    case "compactionSummary":
      return userText(
        `The earlier part of this conversation was replaced by this summary:\n\n<summary>\n${message.summary}\n</summary>`,
        message.timestamp,
      );
    default:
      return undefined;
  }
}

/** A message as it crosses the process boundary. Source: protocol.md section 9 (`bashExecution.fullOutputPath`). */
export function forWire(message: AgentMessage): object {
  return message.role === "bashExecution" ? { ...message, fullOutputPath: message.fullOutputPath ?? null } : message;
}

/** The text a model reads about a command of the user. */
export function bashExecutionText(message: BashExecutionMessage): string {
  const output = message.output ? `\`\`\`\n${message.output}\n\`\`\`` : "(no output)";
  let text = `Ran \`${message.command}\`\n${output}`;
  if (message.cancelled) text += "\n\n(command cancelled)";
  else if (message.exitCode) text += `\n\nCommand exited with code ${message.exitCode}`;
  if (message.truncated && message.fullOutputPath) {
    text += `\n\n[Output truncated. Full output: ${message.fullOutputPath}]`;
  }
  return text;
}

function userText(text: string, timestamp: number): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp };
}
