import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { getCurrentSystemMessage, type ImageContent, type TextContent, type Usage } from "@earendil-works/pi-ai";
import { oneLine } from "../without-controls.js";
import { assertEditable } from "./edit-target.js";
import type { ContextEditableContent, NewEntry, SessionEntry, UsageEntry } from "./entries.js";
import { SessionReader } from "./session-reader.js";

/** What can be added to a session: one method for each kind of entry. Each returns the id of its entry. */
export abstract class SessionAppender extends SessionReader {
  /** @param fields or what makes them once id and time (unix time in ms) are known */
  protected abstract append(fields: NewEntry | ((entry: { id: string; time: number }) => NewEntry)): SessionEntry;

  appendMessage(message: AgentMessage): string {
    return this.append({ type: "message", message }).id;
  }

  appendModelChange(provider: string, modelId: string): string {
    return this.append({ type: "model_change", provider, modelId }).id;
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    return this.append({ type: "thinking_level_change", thinkingLevel }).id;
  }

  appendCustomEntry(customType: string, data?: unknown): string {
    return this.append({ type: "custom", customType, ...(data !== undefined && { data }) }).id;
  }

  appendCustomMessageEntry(
    customType: string,
    content: string | (TextContent | ImageContent)[],
    display: boolean,
    details?: unknown,
  ): string {
    return this.append({
      type: "custom_message",
      customType,
      content,
      display,
      ...(details !== undefined && { details }),
    }).id;
  }

  appendUsage(kind: string, provider: string, model: string, usage: Usage, note?: string): UsageEntry {
    return this.append({
      type: "usage",
      kind,
      provider,
      model,
      usage,
      ...(note !== undefined && { note }),
    }) as UsageEntry;
  }

  /**
   * From here on the context is the summary and what was kept.
   * @param firstKeptEntryId null = nothing is kept
   */
  appendCompaction(
    summary: string,
    firstKeptEntryId: string | null,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): string {
    const declared = getCurrentSystemMessage(this.buildSessionContext().messages);
    return this.append(({ id, time }) => ({
      type: "compaction",
      summary,
      firstKeptEntryId: firstKeptEntryId ?? id,
      tokensBefore,
      ...(details !== undefined && { details }),
      ...(usage && { usage }),
      ...(fromHook !== undefined && { fromHook }),
      ...(declared && { systemMessage: { ...declared, timestamp: time } }),
    })).id;
  }

  /** The name becomes one line without terminal sequences; an empty one clears it. */
  appendSessionInfo(name: string): string {
    return this.append({ type: "session_info", name: oneLine(name) }).id;
  }

  /** @throws `Entry <id> not found` */
  appendLabelChange(targetId: string, label?: string): string {
    this.assertEntry(targetId);
    const text = label && oneLine(label);
    return this.append({ type: "label", targetId, ...(text && { label: text }) }).id;
  }

  /**
   * Replaces what an entry of the branch adds to the context; null takes it out.
   * @throws when the target is none that can be edited
   */
  appendContextEdit(targetId: string, replacement: null | { content: ContextEditableContent }): string {
    assertEditable(this.index, this.assertEntry(targetId), this.pathTo(this.getLeafId()), replacement);
    return this.append({ type: "context_edit", targetId, replacement }).id;
  }

  protected assertEntry(id: string): number {
    const at = this.index.find(id);
    if (at === undefined) throw new Error(`Entry ${id} not found`);
    return at;
  }
}
