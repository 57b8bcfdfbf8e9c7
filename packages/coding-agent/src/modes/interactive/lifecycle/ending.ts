/** Every way the program may end by itself or be ended, and that each gives the terminal back. */
import { writeSync } from "node:fs";
import { withoutControls } from "../../../core/without-controls.js";

export interface Endings {
  /** Ends the session in order; the process ends when it is done. */
  end(): Promise<void>;
  /** Gives the terminal back at once. */
  restore(): void;
  /** Whether an error was one of an extension: the program goes on then. */
  isOfExtension(event: "unhandledRejection" | "uncaughtException", error: unknown): boolean;
  /** Keeps a record of a crash and returns what to say about it. */
  recordCrash(error: unknown): string;
}

/** For shells: ended because the terminal hung up. */
const HUNG_UP = 129;

/** Listens for signals, crashes and a terminal that is gone. Returns what ends that. */
export function watchEndings({ end, restore, isOfExtension, recordCrash }: Endings): () => void {
  let isEnding = false;
  let hasCrashed = false;
  const byTerminal = () => process.exit(HUNG_UP);
  const bySignal = () => {
    if (isEnding) process.exit(0);
    isEnding = true;
    void end().finally(() => process.exit(0));
  };
  const byCrash = (error: unknown) => {
    if (hasCrashed) return;
    hasCrashed = true;
    try {
      restore();
    } catch {
      // What draws may be what crashed; the rest is still to be said.
    }
    try {
      writeSync(2, `${withoutControls(recordCrash(error))}\n`);
    } catch {
      // Nobody is there to read it.
    }
    process.exit(1);
  };
  const byException = (error: unknown) => void (isOfExtension("uncaughtException", error) || byCrash(error));
  const byRejection = (error: unknown) => void (isOfExtension("unhandledRejection", error) || byCrash(error));
  const byError = ({ code }: NodeJS.ErrnoException) => {
    if (code === "EIO" || code === "EPIPE" || code === "ENXIO") byTerminal();
  };
  process.on("SIGTERM", bySignal);
  process.on("SIGHUP", bySignal);
  process.on("uncaughtException", byException);
  process.on("unhandledRejection", byRejection);
  process.stdout.on("error", byError);
  process.stdin.on("error", byError);
  process.stdin.on("end", byTerminal);
  return () => {
    process.off("SIGTERM", bySignal);
    process.off("SIGHUP", bySignal);
    process.off("uncaughtException", byException);
    process.off("unhandledRejection", byRejection);
    process.stdout.off("error", byError);
    process.stdin.off("error", byError);
    process.stdin.off("end", byTerminal);
  };
}
