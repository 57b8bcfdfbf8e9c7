/** Streamed text in whole lines: what is read aloud must not change afterwards. */
export class LineWriter {
  #rest = "";

  constructor(private readonly print: (line: string) => void) {}

  /** A piece of text; the lines it completes are printed. */
  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.print(line);
  }

  /** The text is over: what has no line break yet is a line too. */
  end(): void {
    if (this.#rest !== "") this.print(this.#rest);
    this.#rest = "";
  }
}
