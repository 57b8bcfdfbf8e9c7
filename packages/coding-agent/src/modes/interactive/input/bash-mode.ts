import type { Container } from "@earendil-works/pi-tui";
import { type Desk, errorText } from "../desk.js";
import { BashExecutionComponent } from "../messages/bash-execution.js";

/** `!command` and `!!command`: run at once, shown beside what the agent does, told to the model or not. */
export class BashMode {
  #running: BashExecutionComponent | undefined;
  #held: BashExecutionComponent[] = [];

  constructor(
    private readonly desk: Desk,
    private readonly pending: Container,
  ) {}

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** @param text with its `!` @returns false when the text has to stay in the editor */
  run(text: string): boolean {
    const excludeFromContext = text.startsWith("!!");
    const command = text.slice(excludeFromContext ? 2 : 1).trim();
    if (command === "") return true;
    if (this.#running) {
      this.desk.warning("A bash command is already running. Press Esc to cancel it first.");
      return false;
    }
    void this.#execute(command, excludeFromContext);
    return true;
  }

  cancel(): void {
    this.desk.session.abortBash();
  }

  /** The agent is done: what ran beside it takes its place in the chat. */
  settle(): void {
    for (const part of this.#held.splice(0)) {
      this.pending.removeChild(part);
      this.desk.transcript.addChild(part);
    }
  }

  async #execute(command: string, excludeFromContext: boolean): Promise<void> {
    const { desk } = this;
    const part = new BashExecutionComponent(command, desk.tui, excludeFromContext, desk.look.outputPad);
    part.setExpanded(desk.look.expanded);
    this.#running = part;
    const besides = desk.session.isStreaming;
    if (besides) {
      this.pending.addChild(part);
      this.#held.push(part);
    } else desk.transcript.addChild(part);
    const show = (chunk: string) => {
      part.appendOutput(chunk);
      desk.tui.requestRender();
    };
    try {
      const result = await desk.session.executeBash(command, show, { excludeFromContext });
      part.setComplete(result.exitCode, result.cancelled, { truncated: result.truncated }, result.fullOutputPath);
    } catch (error) {
      part.setComplete(undefined, false);
      desk.error(`The command could not be run: ${errorText(error)}`);
    } finally {
      this.#running = undefined;
      if (!desk.session.isStreaming) this.settle();
      desk.changed();
    }
  }
}
