/** Says what is wrong with an extension file, and where in it. Source: extensions.md section 2.3. */

/**
 * @param file the extension, whose place in a stack is looked for
 * @param folder of the extension: a file of its own below that counts too
 */
export function describeLoadError(error: unknown, file: string, folder: string): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.trim();
  // Syntax errors of the transpiler name the place themselves.
  if (message.includes(`${file}:`)) return message;
  const place = placeIn(error.stack ?? "", file) ?? placeIn(error.stack ?? "", folder);
  return place ? `${message} (${place})` : message;
}

/** `path:line:column` of the first frame at or below a path. */
function placeIn(stack: string, path: string): string | undefined {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`${escaped}[^():\n]*:\\d+(?::\\d+)?`).exec(stack)?.[0];
}
