import type { Desk } from "../desk.js";

/**
 * Says what was said and went wrong before the session was on screen, and before its extensions say anything. What did not
 * load stays in sight, the rest works; later the session tells that.
 *
 * @param lines as a start says them: `Error: ...`, `Warning: ...`, or just so
 */
export function sayStartNotices(desk: Desk, lines: readonly string[]): void {
  const { runtime, session } = desk;
  for (const line of lines) notice(desk, line);
  // Without any model the first screen has offered ways to one.
  if (runtime.modelFallbackMessage && session.model) desk.warning(runtime.modelFallbackMessage);
  const scope = session.scopedModels.map(({ model }) => model.id);
  if (scope.length > 0) desk.status(`Model scope: ${scope.join(", ")}`);
  const { errors } = session.resourceLoader.getExtensions();
  for (const { path, error } of errors) desk.error(`Failed to load extension "${path}": ${error}`);
  if (errors.length > 0) desk.status('Start without extensions using "pi -ne".');
}

function notice(desk: Desk, line: string): void {
  const [, kind, text] = /^(Error|Warning): ([\s\S]*)$/.exec(line) ?? [];
  if (kind === "Error") desk.error(text ?? line);
  else if (kind === "Warning") desk.warning(text ?? line);
  else desk.status(line);
}
