const LIMIT = 1000;

/** States to go back to. Characters typed into one word are one step. */
export class UndoStack<T> {
  private readonly states: T[] = [];
  private typing = false;

  /** Keeps the state before a change. `word`: the change types a word character. */
  keep(state: () => T, word = false): void {
    if (word && this.typing) return;
    this.typing = word;
    this.states.push(state());
    if (this.states.length > LIMIT) this.states.shift();
  }

  /** The next change is a step of its own. */
  breakWord(): void {
    this.typing = false;
  }

  pop(): T | undefined {
    this.typing = false;
    return this.states.pop();
  }

  clear(): void {
    this.states.length = 0;
    this.typing = false;
  }
}
