/**
 * One replacement of the session after another: each meets the session that the one before it made.
 */
export class SessionTurns {
  #last: Promise<void> = Promise.resolve();
  /** Settles when the session exists that the current turn makes: what its extensions do at their start is not awaited. */
  #made: Promise<void> = Promise.resolve();
  #isOver = false;

  /** Resolves when no session is being made. No further one is. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#made;
  }

  /**
   * @param work told how to say that the new session is there
   * @throws after `end()`
   */
  async take<T>(work: (isMade: () => void) => Promise<T>): Promise<T> {
    const before = this.#last;
    let done = () => {};
    this.#last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    let isMade = () => {};
    try {
      if (this.#isOver) throw new Error("The runtime has been disposed of. Create another one.");
      this.#made = new Promise((resolve) => {
        isMade = resolve;
      });
      return await work(isMade);
    } finally {
      isMade();
      done();
    }
  }
}
