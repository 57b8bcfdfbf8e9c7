import { truncateToWidth } from "@earendil-works/pi-tui";
import { keyText } from "../keys/key-hints.js";
import { harmless } from "../messages/plain-text.js";
import { currentTheme } from "../theme/current.js";
import { Drawn } from "./drawn.js";

/** Messages that wait for their turn. */
export class PendingMessages extends Drawn {
  #steering: readonly string[] = [];
  #followUp: readonly string[] = [];

  constructor(outputPad: () => number) {
    super((width) => {
      const pad = " ".repeat(outputPad());
      const line = (text: string) => currentTheme().fg("dim", truncateToWidth(pad + text, width, "..."));
      const one = (text: string) => harmless(text).replace(/\s+/g, " ");
      const lines = [
        ...this.#steering.map((text) => line(`Steering: ${one(text)}`)),
        ...this.#followUp.map((text) => line(`Follow-up: ${one(text)}`)),
      ];
      if (lines.length === 0) return [];
      const key = keyText("app.message.dequeue").replace(/(^|\+)\w/g, (part) => part.toUpperCase());
      return ["", ...lines, line(`↳ ${key} to edit all queued messages`)];
    });
  }

  set(steering: readonly string[], followUp: readonly string[]): void {
    this.#steering = steering;
    this.#followUp = followUp;
    this.invalidate();
  }
}
