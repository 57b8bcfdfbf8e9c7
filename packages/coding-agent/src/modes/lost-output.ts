/** What happens when stdout or stderr cannot be written: without listeners, Node would end with a stack trace. */

let hasFailed = false;

/**
 * From now on a reader that leaves (`pi list | head -1`) is no error, and output that cannot be written is told once, on
 * stderr, and makes the exit code 1. What is under way goes on to its end: half an installation helps nobody.
 */
export function watchOutput(): void {
  if (process.stdout.listeners("error").includes(onStdoutError)) return;
  process.stdout.on("error", onStdoutError);
  // There is nobody left to tell.
  process.stderr.on("error", () => {});
}

/** A mode that takes stdout over has answers of its own. */
export function stopWatchingStdout(): void {
  process.stdout.off("error", onStdoutError);
}

/** Whether something could not be written that a reader still waits for. */
export function outputFailed(): boolean {
  return hasFailed;
}

/** What to say about an error of stdout; undefined when its reader left, who knows why. */
export function lostOutputText({ code, message }: NodeJS.ErrnoException): string | undefined {
  if (code === "EPIPE" || code === "ECONNRESET") return undefined;
  return `Error: Could not write to stdout: ${message}`;
}

function onStdoutError(error: NodeJS.ErrnoException): void {
  const text = lostOutputText(error);
  if (text === undefined || hasFailed) return;
  hasFailed = true;
  process.exitCode = 1;
  process.stderr.write(`${text}\n`);
}
