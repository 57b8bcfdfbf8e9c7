import { onComponentFailure } from "@earendil-works/pi-tui";
import { textOf } from "../../../core/extensions/running/dispatch.js";
import { extensionOf } from "../../stray-errors.js";
import type { Desk } from "../desk.js";

/**
 * Tells what components do wrong on the screen, once each, as errors of the extension they come from where that is known.
 * @returns what ends it
 */
export function tellComponentFailures(desk: Desk): () => void {
  const told = new Set<string>();
  return onComponentFailure((error) => {
    const { extensionRunner } = desk.session;
    const message = textOf(error);
    const culprit = extensionOf(extensionRunner.extensions, error);
    const key = `${culprit?.path}\0${message}`;
    if (told.has(key)) return;
    told.add(key);
    // Not in the middle of a frame.
    setImmediate(() => {
      if (!culprit) desk.error(`A part of the screen failed: ${message}`);
      else {
        const stack = error instanceof Error && error.stack ? { stack: error.stack } : {};
        extensionRunner.report({ extensionPath: culprit.path, event: "render", error: message, ...stack });
      }
    });
  });
}
