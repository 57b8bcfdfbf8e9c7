import { resolve } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import type { ToolDefinition } from "../extensions/types.js";
import type { ResourceLoader } from "../resource-loader.js";
import type { SessionManager } from "../session-manager.js";
import type { ContextUsage } from "./context-usage.js";
import { type SessionStats, sessionStats } from "./statistics.js";
import { forkablePrompts, lastAssistantText } from "./transcript-texts.js";

/** What can be read off a session, and written about it, without changing anything. */
export abstract class SessionRecord {
  abstract readonly sessionManager: SessionManager;
  abstract get messages(): AgentMessage[];
  abstract get model(): Model | undefined;
  abstract get systemPrompt(): string;
  abstract get resourceLoader(): ResourceLoader;
  abstract getContextUsage(): ContextUsage | undefined;
  abstract getActiveToolNames(): string[];
  abstract getToolDefinition(name: string): ToolDefinition | undefined;

  /** The model that answers. Here it is always the one that was chosen: no model stands for others. */
  get routedModel(): Model | undefined {
    return this.model;
  }

  /** Undefined: no prompt cache is kept warm in this release. */
  get cacheWarmingStatus(): undefined {
    return undefined;
  }

  /** What a prompt may begin with as `/name`, beside commands of extensions and skills. */
  get promptTemplates(): ReturnType<ResourceLoader["getPrompts"]>["prompts"] {
    return this.resourceLoader.getPrompts().prompts;
  }

  getSessionStats(): SessionStats {
    return sessionStats(this.sessionManager, this.getContextUsage());
  }

  /** The text of the last assistant message, trimmed; ones that were cut short without text do not count. */
  getLastAssistantText(): string | undefined {
    return lastAssistantText(this.messages);
  }

  /** Prompts a fork can start from, in the order they were sent, of all branches. */
  getUserMessagesForForking(): { entryId: string; text: string }[] {
    return forkablePrompts(this.sessionManager.getEntries());
  }

  /** Writes the whole session as one page, see `exportSessionToHtml`. Returns the path as given; the default is absolute. */
  async exportToHtml(path?: string, _options?: { themeName?: string }): Promise<string> {
    // A page's parts are large, and most sessions are never exported.
    const { exportSessionToHtml } = await import("../export-html/export-session.js");
    const written = await exportSessionToHtml(this.sessionManager, {
      path,
      systemPrompt: this.systemPrompt,
      tools: this.getActiveToolNames().flatMap((name) => this.getToolDefinition(name) ?? []),
    });
    return path ?? resolve(written);
  }

  /** Writes the active branch as a session file, see `exportSessionJsonl`. */
  async exportToJsonl(path?: string): Promise<string> {
    const { exportSessionJsonl } = await import("../session-jsonl.js");
    return exportSessionJsonl(this.sessionManager, path);
  }
}
