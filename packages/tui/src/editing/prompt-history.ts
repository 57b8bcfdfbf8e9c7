const LIMIT = 100;

/** Earlier texts, newest first, and the draft that was being written when browsing began. */
export class PromptHistory {
  private readonly entries: string[] = [];
  private at = -1;
  private draft = "";

  get browsing(): boolean {
    return this.at >= 0;
  }

  add(text: string): void {
    const trimmed = text.trim();
    if (trimmed === "" || trimmed === this.entries[0]) return;
    this.entries.unshift(trimmed);
    if (this.entries.length > LIMIT) this.entries.pop();
  }

  /** The next older text; undefined when there is none. */
  older(current: string): string | undefined {
    if (this.at + 1 >= this.entries.length) return undefined;
    if (this.at < 0) this.draft = current;
    this.at++;
    return this.entries[this.at];
  }

  /** The next newer text, at last the draft; undefined when not browsing. */
  newer(): string | undefined {
    if (this.at < 0) return undefined;
    this.at--;
    return this.at < 0 ? this.draft : this.entries[this.at];
  }

  leave(): void {
    this.at = -1;
  }
}
