import { createInterface, type Interface } from "node:readline";

/** Lines that are typed: each answers the question that was put last, else it is for whoever takes prompts. */
export class LineReader {
  readonly #lines: Interface;
  #question: ((line: string | undefined) => void) | undefined;
  /** Typed before anybody takes prompts. */
  #early: string[] = [];
  #take: ((line: string) => void) | undefined;
  #isClosed = false;
  #onClose = () => {};

  constructor(input: NodeJS.ReadableStream = process.stdin) {
    this.#lines = createInterface({ input });
    this.#lines.on("line", (line) => {
      const question = this.#question;
      this.#question = undefined;
      if (question) question(line);
      else if (this.#take) this.#take(line);
      else this.#early.push(line);
    });
    this.#lines.on("close", () => {
      this.#isClosed = true;
      this.#question?.(undefined);
      this.#onClose();
    });
  }

  /** The next line; undefined when there are no more, or the question is taken back. One question at a time. */
  nextLine(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const answer = (line: string | undefined) => {
        this.#question = undefined;
        signal?.removeEventListener("abort", takeBack);
        resolve(line);
      };
      const takeBack = () => answer(undefined);
      signal?.addEventListener("abort", takeBack, { once: true });
      this.#question = answer;
    });
  }

  /** Hands lines on that answer nothing, until there are no more. */
  async takeAll(take: (line: string) => void): Promise<void> {
    this.#take = take;
    for (const line of this.#early.splice(0)) take(line);
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      this.#onClose = resolve;
    });
  }

  close(): void {
    this.#lines.close();
  }
}
