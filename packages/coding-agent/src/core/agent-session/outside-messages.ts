import type { ImageContent } from "@earendil-works/pi-ai";
import type {
  CustomMessageInput,
  SendMessageOptions,
  SendUserMessageOptions,
  UserMessageInput,
} from "../extensions/types.js";
import type { CustomMessage } from "../messages.js";
import { customMessage } from "./extension-hooks.js";
import type { Runs } from "./runs.js";
import type { SessionCore } from "./session-core.js";
import type { TurnEvents } from "./turn-events.js";

/** Messages that neither the user nor the model wrote. Source: extensions.md section 4.2. */
export class OutsideMessages {
  readonly #core: SessionCore;
  readonly #runs: Runs;
  readonly #turns: TurnEvents;

  constructor(core: SessionCore, runs: Runs, turns: TurnEvents) {
    this.#core = core;
    this.#runs = runs;
    this.#turns = turns;
  }

  /** Resolves when the message is where it belongs; with `triggerTurn`, when its run is over. */
  async sendCustom<T>(input: CustomMessageInput<T>, options: SendMessageOptions = {}): Promise<void> {
    const message = customMessage(input as CustomMessageInput);
    const { triggerTurn, deliverAs } = options;
    if (deliverAs === "nextTurn") this.#runs.keepForNextPrompt(message);
    else if (this.#runs.isBusy) this.#duringRun(message, options);
    else if (triggerTurn) await this.#runs.promptWith(message);
    else {
      this.#core.claim();
      await this.#turns.append(message);
    }
  }

  /** As a prompt of the user, but from an extension. */
  async sendUser(content: UserMessageInput, options: SendUserMessageOptions = {}): Promise<void> {
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const text = blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
    const images = blocks.filter((block): block is ImageContent => block.type === "image");
    await this.#runs.prompt(text, {
      images,
      source: "extension",
      expandPromptTemplates: options.expandPromptTemplates === true,
      streamingBehavior: options.deliverAs,
    });
  }

  #duringRun(message: CustomMessage, { triggerTurn, deliverAs }: SendMessageOptions): void {
    const { agent } = this.#core;
    if (triggerTurn === false) this.#turns.appendAfterTurn(message);
    else if (deliverAs === "followUp") agent.followUp(message);
    else agent.steer(message);
  }
}
