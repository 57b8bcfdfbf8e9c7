import { loadErrorLine } from "../../../core/extensions/loading/load-error.js";
import type { Desk } from "../desk.js";
import { linesOfIssues } from "../screen/session-resources.js";

/**
 * Says what was said and went wrong before the session was on screen, and before its extensions say anything. What did not
 * load stays in sight, the rest works; later the session tells that.
 *
 * @param lines as a start says them: `Error: ...`, `Warning: ...`, or just so
 */
export function sayStartNotices(desk: Desk, lines: readonly string[]): void {
  const { session } = desk;
  const inSections = linesOfIssues(session, desk.display.quietStartup);
  for (const line of lines) if (!inSections.has(line)) notice(desk, line);
  const scope = session.scopedModels.map(({ model }) => model.id);
  if (scope.length > 0) desk.status(`Model scope: ${scope.join(", ")}`);
  const { errors } = session.resourceLoader.getExtensions();
  for (const error of errors) desk.error(loadErrorLine(error));
  if (errors.length > 0) desk.status('Start without extensions using "pi -ne".');
}

function notice(desk: Desk, line: string): void {
  const [, kind, text] = /^(Error|Warning): ([\s\S]*)$/.exec(line) ?? [];
  if (kind === "Error") desk.error(text ?? line);
  else if (kind === "Warning") desk.warning(text ?? line);
  else desk.status(line);
}
