import { createHash, randomBytes } from "node:crypto";

export interface Pkce {
  verifier: string;
  challenge: string;
}

/** A secret and its S256 challenge (RFC 7636). */
export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A value that ties an answer to its request. */
export function createState(): string {
  return randomBytes(24).toString("base64url");
}
