/** What was deleted by words and lines, for inserting it again; the newest is first. */
export class KillRing {
  private readonly entries: string[] = [];
  private at = 0;

  /** Keeps a text; `join` adds it to the newest entry, `backward` in front of it. */
  push(text: string, join: boolean, backward: boolean): void {
    if (text === "") return;
    const newest = this.entries[0];
    if (join && newest !== undefined) this.entries[0] = backward ? text + newest : newest + text;
    else this.entries.unshift(text);
    this.at = 0;
  }

  current(): string | undefined {
    return this.entries[this.at];
  }

  /** The entry before the one inserted last; after the oldest comes the newest. */
  older(): string | undefined {
    if (this.entries.length < 2) return undefined;
    this.at = (this.at + 1) % this.entries.length;
    return this.current();
  }

  /** Starts again from the newest. */
  rewind(): void {
    this.at = 0;
  }
}
