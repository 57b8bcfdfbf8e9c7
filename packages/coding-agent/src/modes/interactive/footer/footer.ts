import type { Component } from "@earendil-works/pi-tui";
import type { AgentSession } from "../../../core/agent-session.js";
import type { ReadonlyFooterDataProvider } from "../../../core/extensions/types/ui.js";
import { Drawn } from "../screen/drawn.js";
import { currentTheme } from "../theme/current.js";
import { shortPath } from "../tools/paths.js";
import { type FooterFacts, footerLines } from "./footer-text.js";
import { GitBranch } from "./git-branch.js";

/** What the footer and footers of extensions are made from, beside the session. */
export class FooterData implements ReadonlyFooterDataProvider {
  readonly #statuses = new Map<string, string>();
  #branch: GitBranch;

  constructor(
    cwd: string,
    private readonly providerCount: () => number,
  ) {
    this.#branch = new GitBranch(cwd);
  }

  getGitBranch(): string | null {
    return this.#branch.name ?? null;
  }

  getExtensionStatuses(): ReadonlyMap<string, string> {
    return this.#statuses;
  }

  getAvailableProviderCount(): number {
    return this.providerCount();
  }

  onBranchChange(callback: () => void): () => void {
    return this.#branch.onChange(callback);
  }

  setStatus(key: string, text: string | undefined): void {
    if (text === undefined) this.#statuses.delete(key);
    else this.#statuses.set(key, text);
  }

  clearStatuses(): void {
    this.#statuses.clear();
  }

  close(): void {
    this.#branch.close();
  }
}

/** Two or three dim lines about the session. Its figures are counted while the session is written, not here. */
export class FooterComponent implements Component {
  readonly #drawn: Drawn;

  constructor(
    private readonly session: AgentSession,
    private readonly data: ReadonlyFooterDataProvider,
  ) {
    this.#drawn = new Drawn((width) => footerLines(this.#facts(), width, currentTheme()));
  }

  invalidate(): void {
    this.#drawn.invalidate();
  }

  render(width: number): readonly string[] {
    return this.#drawn.render(width);
  }

  #facts(): FooterFacts {
    const { session, data } = this;
    const { tokens, cost } = session.getSessionStats();
    const usage = session.getContextUsage();
    const { model } = session;
    const branch = data.getGitBranch();
    const statuses = [...data.getExtensionStatuses()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return {
      cwd: shortPath(session.sessionManager.getCwd()),
      branch: branch ?? undefined,
      sessionName: session.sessionName,
      tokens,
      cacheHit: lastCacheHit(session),
      cost,
      isSubscription: model !== undefined && session.modelRuntime.isUsingSubscription(model.provider),
      context: usage && { percent: usage.percent, window: usage.contextWindow },
      autoCompaction: session.autoCompactionEnabled,
      model: model && { id: model.id, provider: model.provider, reasons: model.reasoning },
      thinkingLevel: session.thinkingLevel,
      providerCount: data.getAvailableProviderCount(),
      notice: session.sessionManager.isReadOnly() ? "read-only" : undefined,
      statuses,
    };
  }
}

/** Share of the last request's input that came from the cache, in percent. */
function lastCacheHit(session: AgentSession): number | undefined {
  const leaf = session.sessionManager.getLeafEntry();
  const last = session.isContextRead
    ? session.messages.findLast((message) => message.role === "assistant")
    : leaf?.type === "message" && leaf.message.role === "assistant"
      ? leaf.message
      : undefined;
  if (last?.role !== "assistant") return undefined;
  const { input, cacheRead, cacheWrite } = last.usage;
  const total = input + cacheRead + cacheWrite;
  return total > 0 ? (100 * cacheRead) / total : undefined;
}
