/** What is wrong with models.json, in one line. Pure. @param error as `ModelRuntime.getError` says it */
export function modelsProblemLine(error: string): string {
  return error
    .trim()
    .replace(/:\s*\n\s*- /g, ": ")
    .replace(/\n\s*- /g, "; ")
    .replace(/\.?\n+File: /g, ". File: ")
    .replace(/\s*\n+\s*/g, "; ");
}
