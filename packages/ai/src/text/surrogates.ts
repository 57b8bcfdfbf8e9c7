/** With the `u` flag only unpaired surrogates are of this category. */
const UNPAIRED = /\p{Surrogate}/gu;

/** The text without unpaired UTF-16 surrogates, which are no Unicode text and which providers reject. */
export function stripUnpairedSurrogates(text: string): string {
  // Node 20 knows a much faster answer to the usual question.
  const { isWellFormed } = text as { isWellFormed?: () => boolean };
  return isWellFormed?.call(text) ? text : text.replace(UNPAIRED, "");
}
