/** The door to stdout and stderr for the modes that other programs read. Source: cli-and-config.md section 1.5. */
import { Writable } from "node:stream";

export interface ProtocolOutput {
  /** Queues text for the real stdout, in order. */
  write(text: string): void;
  /** Resolves when everything queued has been taken by the reader. */
  drain(): Promise<void>;
}

/**
 * Makes stdout the mode's own: whatever else writes to `process.stdout` ends up on stderr, so that `console.log` of an
 * extension or a library cannot corrupt the output. When the reader goes away or the output cannot be written, the
 * process ends with exit code 1.
 *
 * @param onFailure called before that: ends what must not outlive the process
 */
export function takeOverStdout(onFailure: () => void): ProtocolOutput {
  const writeStdout = process.stdout.write.bind(process.stdout);
  const writeStderr = process.stderr.write.bind(process.stderr);
  process.stdout.write = writeStderr as typeof process.stdout.write;
  let pending = Promise.resolve();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that left (`pi ... | head`) knows why; anything else is news.
    if (error.code !== "EPIPE") writeStderr(`Error: Could not write to stdout: ${error.message}\n`);
    onFailure();
    process.exit(1);
  });
  return {
    write(text) {
      pending = pending.then(
        () =>
          new Promise<void>((resolve) => {
            writeStdout(text, () => resolve());
          }),
      );
    },
    drain: () => pending,
  };
}

/** One line for the user. */
export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Stderr for a dialogue: what is written while `isMuted` is not shown, as the echo of a secret. */
export function dialogueOutput(isMuted: () => boolean): NodeJS.WritableStream {
  return new Writable({
    write(chunk, encoding, done) {
      // At once: a piece that waits would be judged by what holds later.
      if (!isMuted()) process.stderr.write(chunk, encoding);
      done();
    },
  });
}
