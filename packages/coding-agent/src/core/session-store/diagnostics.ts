import type { SessionDiagnostic } from "./session-file-options.js";

/** What was found wrong and what was done about it, until somebody wants to hear it. */
export class Diagnostics {
  #kept: SessionDiagnostic[] = [];
  /** Called when there is something to drain. */
  onAdded: (() => void) | undefined;

  warn(message: string): void {
    this.#add({ type: "warning", message });
  }

  error(message: string): void {
    this.#add({ type: "error", message });
  }

  drain(): SessionDiagnostic[] {
    return this.#kept.splice(0);
  }

  #add(diagnostic: SessionDiagnostic): void {
    this.#kept.push(diagnostic);
    this.onAdded?.();
  }
}
