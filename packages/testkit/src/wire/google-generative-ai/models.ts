/** Gemini 3 and later want the thought signature of every first function call of the running turn back. */
export function requiresThoughtSignatures(model: string): boolean {
  const major = /^gemini-(\d+)/.exec(model)?.[1];
  return major !== undefined && Number(major) >= 3;
}
