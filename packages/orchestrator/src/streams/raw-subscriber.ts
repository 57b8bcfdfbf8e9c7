import type { InstanceRecord, PromptRecord } from "../types.js";
import type { NumberedLine } from "./live-ring.js";
import { mostWaiting, type Sink } from "./sink.js";
import type { Subscriber } from "./subscriber.js";

/** A stream without cursors: the agent's records as they are. A reader who cannot follow is told so and left. */
export class RawSubscriber implements Subscriber {
  constructor(readonly sink: Sink) {}

  event({ line }: NumberedLine): void {
    if (line === "") return;
    if (this.sink.waiting > 8 * mostWaiting) {
      this.sink.write(
        `${JSON.stringify({ type: "error", ok: false, error: "The reader is too slow for a stream without cursors." })}\n`,
      );
      this.sink.close();
      return;
    }
    this.sink.write(`${line}\n`);
  }

  entriesMayHaveCome(): void {}

  processEnded(): void {}

  instance(_record: InstanceRecord): void {}

  promptState(_prompt: PromptRecord): void {}

  dialogClosed(): void {}
}
