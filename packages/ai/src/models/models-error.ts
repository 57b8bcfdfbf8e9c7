import type { ModelsErrorCode } from "./types.js";

/** What went wrong in a collection of providers, before or around a request. Messages never hold secrets. */
export class ModelsError extends Error {
  override name = "ModelsError";
  readonly code: ModelsErrorCode;

  constructor(code: ModelsErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
