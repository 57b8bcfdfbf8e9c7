import { COLOR_QUESTIONS, ColorReplies, isDeviceAttributes } from "../terminal/replies.js";
import type { TerminalColorQuery, TerminalColors } from "../types.js";

interface Pending {
  readonly replies: ColorReplies;
  readonly finish: (colors: TerminalColors) => void;
}

/** Questions for the terminal's colours that wait for their answers; terminals answer in order. */
export class ColorQueries {
  private readonly pending: Pending[] = [];

  ask(write: (data: string) => void, { timeoutMs, onLateReply }: TerminalColorQuery): Promise<TerminalColors> {
    return new Promise((resolve) => {
      let late = false;
      const replies = new ColorReplies();
      const timer = setTimeout(() => {
        late = true;
        resolve(replies.result());
      }, timeoutMs);
      const finish = (colors: TerminalColors) => {
        clearTimeout(timer);
        if (late) onLateReply?.(colors);
        else resolve(colors);
      };
      this.pending.push({ replies, finish });
      write(COLOR_QUESTIONS);
    });
  }

  /** Takes an answer; false when the input is none. The device attributes end a question. */
  take(data: string): boolean {
    const [first] = this.pending;
    if (!first) return false;
    if (isDeviceAttributes(data)) {
      this.pending.shift();
      first.finish(first.replies.result());
      return true;
    }
    return first.replies.take(data);
  }
}
