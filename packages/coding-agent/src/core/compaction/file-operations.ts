/** Which files a conversation touched. Pure. Source: sessions.md section 5, "Result". */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { FileOperations, SummaryDetails } from "./types.js";

export function newFileOperations(): FileOperations {
  return { read: new Set(), written: new Set(), edited: new Set() };
}

/** Adds the files of the tool calls in these messages, nested calls included. */
export function addFileOperations(ops: FileOperations, messages: readonly AgentMessage[]): void {
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") addCall(ops, block.name, block.arguments);
    } else if (message.role === "toolResult") {
      const { calls } = (message as { nestedCalls?: { calls?: unknown } }).nestedCalls ?? {};
      if (!Array.isArray(calls)) continue;
      for (const call of calls) addCall(ops, call?.name, call?.arguments);
    }
  }
}

/** Adds what an earlier summary recorded. */
export function addSummaryDetails(ops: FileOperations, details: unknown): void {
  const { readFiles, modifiedFiles } = (details ?? {}) as Partial<SummaryDetails>;
  for (const path of stringsOf(readFiles)) ops.read.add(path);
  for (const path of stringsOf(modifiedFiles)) ops.edited.add(path);
}

export function summaryDetails({ read, written, edited }: FileOperations): SummaryDetails {
  const modified = new Set([...written, ...edited]);
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).sort(),
    modifiedFiles: [...modified].sort(),
  };
}

/** The blocks that follow a summary; empty lists have none. */
export function fileBlocks({ readFiles, modifiedFiles }: SummaryDetails): string {
  const block = (tag: string, paths: string[]) =>
    paths.length > 0 ? `\n\n<${tag}>\n${paths.join("\n")}\n</${tag}>` : "";
  return block("read-files", readFiles) + block("modified-files", modifiedFiles);
}

function addCall(ops: FileOperations, name: unknown, args: unknown): void {
  const path = (args as { path?: unknown } | undefined)?.path;
  if (typeof path !== "string") return;
  if (name === "read") ops.read.add(path);
  else if (name === "write") ops.written.add(path);
  else if (name === "edit") ops.edited.add(path);
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
