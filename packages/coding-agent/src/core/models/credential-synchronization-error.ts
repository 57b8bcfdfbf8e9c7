import type { Credential } from "@earendil-works/pi-ai";

export type CredentialSynchronizationOperation = "login" | "logout" | "setRuntimeApiKey" | "removeRuntimeApiKey";

/** A change of credentials that could not be stored, so that this process and the disk disagree. */
export class CredentialSynchronizationError extends Error {
  override name = "CredentialSynchronizationError";
  readonly #credential: Credential | undefined;

  constructor(
    readonly providerId: string,
    readonly operation: CredentialSynchronizationOperation,
    credential: Credential | undefined,
    options?: { cause?: unknown },
  ) {
    const reason = options?.cause instanceof Error ? `: ${options.cause.message}` : "";
    super(`Could not store the credentials of ${providerId} (${operation})${reason}`, options);
    this.#credential = credential;
  }

  /** Not a plain member: whoever logs or serialises the error must not write a secret. */
  get credential(): Credential | undefined {
    return this.#credential;
  }
}
