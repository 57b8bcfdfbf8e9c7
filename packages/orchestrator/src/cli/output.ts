/** The door to stdout and stderr of `pi-orchestrator`. */

export function print(text: string): void {
  process.stdout.write(text);
}

export function printError(text: string): void {
  // What agents say must not steer the terminal.
  process.stderr.write(`${plain(text)}\n`);
}

/** Text without what a terminal would act on. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

/** Resolves when everything printed was taken. */
export function drained(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => resolve()));
}

/** The reader of a pipe that left has seen enough. */
export function endWithReader(): void {
  process.stdout.on("error", () => process.exit(0));
}
