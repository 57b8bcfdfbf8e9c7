/** The door to stdout and stderr for the modes that other programs read. Source: cli-and-config.md section 1.5. */
import { Writable } from "node:stream";
import { withoutControls } from "../core/without-controls.js";
import { lostOutputText, stopWatchingStdout } from "./lost-output.js";

/** Text, bytes, or pieces that are made only when their turn has come. */
export type OutputItem = string | Uint8Array | Iterable<string | Uint8Array>;

export interface ProtocolOutput {
  /** Queues a record for the real stdout. Records keep their order, and nothing comes between the pieces of one. */
  write(item: OutputItem): void;
  /**
   * Undefined while little waits to be taken; else resolves when the reader has caught up. Producers wait for it, so
   * that a reader who stops stalls the work instead of filling memory.
   */
  ready(): Promise<void> | undefined;
  /** Resolves when everything queued has been taken by the reader. */
  drain(): Promise<void>;
}

/** Stdout as a mode's own. */
export interface TakenStdout extends ProtocolOutput {
  /** Gives stdout back to everybody, once all is drained: a program that hosts a mode goes on with its own output. */
  release(): void;
}

/** Text that may wait before producers are held, in characters or bytes. */
const HIGH_WATER = 256 * 1024;
/** Small records are written together up to this size. */
const CHUNK_SIZE = 64 * 1024;

/**
 * Makes stdout the mode's own: whatever else writes to `process.stdout` ends up on stderr, so that `console.log` of an
 * extension or a library cannot corrupt the output. When the reader goes away or the output cannot be written, the
 * process ends with exit code 1.
 *
 * @param onFailure called before that: ends what must not outlive the process
 */
export function takeOverStdout(onFailure: () => void): TakenStdout {
  // A pipe that is full is no error: the stream waits for it by itself.
  const before = Object.getOwnPropertyDescriptor(process.stdout, "write");
  const writeStdout = process.stdout.write.bind(process.stdout) as WriteChunk;
  const writeStderr = process.stderr.write.bind(process.stderr);
  process.stdout.write = writeStderr as typeof process.stdout.write;
  const fail = (text: string | undefined) => {
    if (text !== undefined) writeStderr(`${text}\n`);
    onFailure();
    process.exit(1);
  };
  stopWatchingStdout();
  const onError = (error: NodeJS.ErrnoException) => fail(lostOutputText(error));
  process.stdout.on("error", onError);
  // Half of it is out: nothing that came after it could be read.
  const output = queuedOutput(writeStdout, ({ message }) =>
    fail(`Error: A record could not be written to its end: ${withoutControls(message)}`),
  );
  return {
    ...output,
    release() {
      if (before) Object.defineProperty(process.stdout, "write", before);
      else Reflect.deleteProperty(process.stdout, "write");
      process.stdout.off("error", onError);
    },
  };
}

/** Writes a sequence that shows nothing. Returns false where stdout is no terminal, or is a mode's own. */
export function writeToTerminal(sequence: string): boolean {
  if (!process.stdout.isTTY || Object.hasOwn(process.stdout, "write")) return false;
  return process.stdout.write(sequence);
}

type WriteChunk = (chunk: string | Uint8Array, done: () => void) => boolean;

/**
 * An ordered queue in front of a writer that is slower than its producers.
 * @param onBroken called when the next piece of a record cannot be made; nothing is written any more then
 */
export function queuedOutput(writeChunk: WriteChunk, onBroken: (error: Error) => void): ProtocolOutput {
  const queue: OutputItem[] = [];
  let pieces: Iterator<string | Uint8Array> | undefined;
  let waiting = 0;
  let isWriting = false;
  let isScheduled = false;
  let isBroken = false;
  let watchers: { limit: number; resolve: () => void }[] = [];

  const tell = () => {
    const left = isWriting || pieces !== undefined || queue.length > 0 ? Math.max(waiting, 1) : 0;
    const done = watchers.filter(({ limit }) => left <= limit);
    if (done.length === 0) return;
    watchers = watchers.filter(({ limit }) => left > limit);
    for (const { resolve } of done) resolve();
  };

  /** What is written next: one piece, or as many small records as fit into a chunk. */
  const next = (): string | Uint8Array | undefined => {
    for (;;) {
      if (pieces) {
        const { done, value } = pieces.next();
        if (!done) return value;
        pieces = undefined;
      }
      let text = "";
      while (queue.length > 0 && text.length < CHUNK_SIZE) {
        const item = queue[0] as OutputItem;
        if (typeof item !== "string") break;
        text += item;
        waiting -= item.length;
        queue.shift();
      }
      if (text !== "") return text;
      const item = queue.shift();
      if (item === undefined) return undefined;
      if (typeof item === "string" || item instanceof Uint8Array) {
        waiting -= item.length;
        return item;
      }
      pieces = item[Symbol.iterator]();
    }
  };

  const pump = () => {
    isScheduled = false;
    if (isWriting || isBroken) return;
    let chunk: string | Uint8Array | undefined;
    try {
      chunk = next();
    } catch (error) {
      isBroken = true;
      onBroken(error as Error);
      return;
    }
    if (chunk !== undefined) send(chunk);
    tell();
  };
  const send = (chunk: string | Uint8Array) => {
    isWriting = true;
    writeChunk(chunk, () => {
      isWriting = false;
      pump();
    });
  };
  const wait = (limit: number) => new Promise<void>((resolve) => watchers.push({ limit, resolve }));

  return {
    write(item) {
      queue.push(item);
      if (typeof item === "string" || item instanceof Uint8Array) waiting += item.length;
      // Records of one turn of the event loop go out together.
      if (isWriting || isScheduled) return;
      isScheduled = true;
      setImmediate(pump);
    },
    ready() {
      return waiting > HIGH_WATER ? wait(HIGH_WATER / 2) : undefined;
    },
    drain() {
      return isWriting || isScheduled || queue.length > 0 || pieces ? wait(0) : Promise.resolve();
    },
  };
}

/** One message for the user. What servers say is part of it, and must not steer the terminal. */
export function printError(text: string): void {
  const hasColors = process.stderr.isTTY && !process.env["NO_COLOR"];
  process.stderr.write(`${hasColors ? coloredMessage(withoutControls(text)) : withoutControls(text)}\n`);
}

/** Errors red, warnings yellow: their first line, the others help. */
export function coloredMessage(text: string): string {
  return text
    .replace(/^Error: .*/, (line) => `\x1b[31m${line}\x1b[39m`)
    .replace(/^Warning: .*/, (line) => `\x1b[33m${line}\x1b[39m`);
}

/** One line on the terminal of an interactive mode that has given the screen back, or never had it. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What a child said on its stderr, as it is. */
export function passOnStderr(text: string): void {
  process.stderr.write(text);
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
