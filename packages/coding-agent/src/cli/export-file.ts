import { exportSessionToHtml } from "../core/export-html/export-session.js";
import { SessionManager } from "../core/session-manager.js";
import { resolveUserPath } from "../core/session-store/paths.js";
import { isDirectory, statIfExists } from "../core/storage/files.js";
import { assertReadable } from "../core/storage/read-text.js";
import { missingFileAdvice } from "./missing-file.js";

/**
 * `--export <file> [out]`: writes a session file as a page, without touching it. Source: cli-and-config.md section 1.6.
 * @returns where the page is, as `out` says or by the default name; or what is wrong
 */
export async function exportFile(file: string, out: string | undefined): Promise<{ path?: string; problem?: string }> {
  try {
    const path = resolveUserPath(file);
    if (!isDirectory(path)) assertReadable(path);
    if (!statIfExists(path)?.isFile()) return { problem: `File not found: ${path}\n${missingFileAdvice(path)}` };
    const session = SessionManager.open(file, undefined, undefined, { readOnly: true, lazyFolder: true });
    return { path: await exportSessionToHtml(session, { path: out }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
