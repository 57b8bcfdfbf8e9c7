/** Says what is wrong with an extension file, and where in it. Source: extensions.md section 2.3. */

/** How the reason begins where an extension threw. */
export const thrownPrefix = "Failed to load extension: ";

/** The line about an extension that did not load: `Failed to load extension "<path>": <reason>`. */
export function loadErrorLine({ path, error }: { path: string; error: string }): string {
  const reason = error.startsWith(thrownPrefix) ? error.slice(thrownPrefix.length) : error;
  return `Failed to load extension "${path}": ${reason}`;
}

/**
 * @param file the extension, whose place in a stack is looked for
 * @param folder of the extension: a file of its own below that counts too
 */
export function describeLoadError(error: unknown, file: string, folder: string): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.trim();
  // Syntax errors of the transpiler name the place themselves.
  if (message.includes(`${file}:`)) return message.replace(/\s*\n\s*(\S+:\d+:\d+)$/, " ($1)");
  const place = placeIn(error.stack ?? "", file) ?? placeIn(error.stack ?? "", folder);
  return place ? `${message} (${place})` : message;
}

/** `path:line:column` of the first frame at or below a path. */
function placeIn(stack: string, path: string): string | undefined {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`${escaped}[^():\n]*:\\d+(?::\\d+)?`).exec(stack)?.[0];
}
