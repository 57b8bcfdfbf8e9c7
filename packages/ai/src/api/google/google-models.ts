/** What models can do, by their ids: Google's API has no other way to tell. Source: llm-wire.md sections 1 and 7. */

/** Major version of a Gemini model; undefined for others, and for aliases without a version. */
function geminiMajor(id: string): number | undefined {
  const major = /(?:^|\/)gemini-(\d+)/.exec(id)?.[1];
  return major === undefined ? undefined : Number(major);
}

/** From Gemini 3 on: strict tools, images inside tool results, thought signatures on calls. */
export function isGemini3(id: string): boolean {
  return (geminiMajor(id) ?? 0) >= 3;
}

/** Models that want tool calls and results to carry ids. */
export function needsCallIds(id: string): boolean {
  return isGemini3(id) || id.startsWith("claude-") || id.startsWith("gpt-oss-");
}

/** Models that are told a level of thinking, not a budget of tokens. */
export function takesThinkingLevel(id: string): boolean {
  return isGemini3(id) || /^gemini-flash(?:-lite)?-latest$/.test(id) || id.startsWith("gemma-4");
}
