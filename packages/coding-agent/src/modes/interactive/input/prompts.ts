import { SessionInUseError } from "../../../core/session-store/session-errors.js";
import { goToInstead } from "../commands/session-commands.js";
import { type Desk, errorText } from "../desk.js";
import { harmless } from "../messages/plain-text.js";
import type { PendingMessages } from "../screen/pending-messages.js";

/** Prompts on their way to the session: at once, queued beside a run, or held while a summary is made. */
export class Prompts {
  /** Sent when the summary is done. */
  #held: string[] = [];

  constructor(
    private readonly desk: Desk,
    private readonly pending: PendingMessages,
  ) {}

  async send(text: string, behavior: "steer" | "followUp"): Promise<void> {
    const { desk } = this;
    const { session } = desk;
    desk.screen.layout.scrollToEnd();
    if (session.isCompacting && !session.isStreaming) {
      this.#held.push(text);
      this.#showQueue();
      desk.status("Queued message for after compaction");
      return;
    }
    try {
      await session.prompt(text, { streamingBehavior: behavior });
    } catch (error) {
      // What was not sent is not lost.
      if (desk.editor.text === "") desk.editor.setText(text);
      if (error instanceof SessionInUseError && (await goToInstead(desk, error))) return;
      desk.error(harmless(errorText(error)));
    }
  }

  /** The summary is done: what waited for it goes out, in order. */
  async sendHeld(): Promise<void> {
    const [first, ...rest] = this.#held.splice(0);
    if (first === undefined) return;
    this.#showQueue();
    const sent = this.send(first, "followUp");
    for (const text of rest) await this.desk.session.followUp(text);
    await sent;
  }

  /** Everything that waits goes back into the editor, before what is there. Returns how many messages. */
  takeBack(): number {
    const { session, editor } = this.desk;
    const { steering, followUp } = session.clearQueue();
    const texts = [...steering, ...followUp, ...this.#held.splice(0)];
    this.#showQueue();
    if (texts.length === 0) return 0;
    const draft = editor.wholeText.trim() === "" ? [] : [editor.wholeText];
    editor.setText([...texts, ...draft].join("\n\n"));
    return texts.length;
  }

  dequeue(): void {
    const count = this.takeBack();
    if (count === 0) this.desk.status("No queued messages to restore");
    else this.desk.status(`Restored ${count} queued message${count === 1 ? "" : "s"} to editor`);
  }

  #showQueue(): void {
    const { session } = this.desk;
    this.pending.set(session.getSteeringMessages(), [...session.getFollowUpMessages(), ...this.#held]);
    this.desk.tui.requestRender();
  }
}
