import { readFile, stat } from "node:fs/promises";
import { applyEdits } from "../../../core/tools/edit/apply.js";
import { generateDiffString } from "../../../core/tools/edit/render-diff.js";
import { prepareEditArguments } from "../../../core/tools/edit.js";
import { resolveToCwd } from "../../../core/tools/path-utils.js";

/** Larger files take too long to be shown beforehand. */
const MAX_BYTES = 1024 * 1024;

/** The diff that an edit call would make. @throws when it cannot be made */
export async function previewEdit(args: unknown, cwd: string): Promise<string | undefined> {
  const { path, edits } = prepareEditArguments(args);
  const target = resolveToCwd(path, cwd);
  if ((await stat(target)).size > MAX_BYTES) return undefined;
  const { oldContent, newContent } = await applyEdits(await readFile(target, "utf8"), edits, path);
  return generateDiffString(oldContent, newContent).diff;
}
