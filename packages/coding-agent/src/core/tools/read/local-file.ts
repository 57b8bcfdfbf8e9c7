/**
 * Files of this machine as `read` sees them.
 */
import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import { checkRegularFile, openRegularFile } from "../regular-file.js";

const CHUNK_BYTES = 64 * 1024;
/** Files that do not tell their size may never end. */
const UNSIZED_FILE_BYTES = 64 * 1024 * 1024;
const NAMES_SHOWN = 3;
const NAMES_COMPARED = 5000;

/** Rejects when the file is missing, not readable, or no regular file. */
export async function checkReadable(path: string): Promise<void> {
  await access(path, constants.R_OK);
  await checkRegularFile(path);
}

/** Bytes of a file. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

/** The bytes of a file; of a regular one those it had when opened, so that a growing log comes to an end. */
export async function* readChunks(path: string, options: { signal?: AbortSignal | undefined }): AsyncGenerator<Buffer> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  try {
    const info = await handle.stat();
    // Files of /proc and the like are regular and say 0.
    let left = info.isFile() && info.size > 0 ? info.size : UNSIZED_FILE_BYTES;
    while (left > 0 && !options.signal?.aborted) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** What may have been meant by the path of a missing file; empty when there is no idea. */
export async function describeMissing(path: string): Promise<string> {
  const dir = dirname(path);
  let names: string[];
  try {
    names = await readdir(dir);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? ` The directory ${dir} does not exist.` : "";
  }
  const similar = similarNames(basename(path), names.slice(0, NAMES_COMPARED));
  return similar.length > 0 ? ` Similar names in ${dir}: ${similar.join(", ")}.` : "";
}

/** The names most like `name`: other case, other extension, or few letters away. */
export function similarNames(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  const stem = wanted.slice(0, wanted.length - extname(wanted).length);
  const scored = names.map((candidate) => {
    const other = candidate.toLowerCase();
    const otherStem = other.slice(0, other.length - extname(other).length);
    if (other === wanted) return { candidate, distance: 0 };
    if (otherStem === stem) return { candidate, distance: 1 };
    return { candidate, distance: 1 + editDistance(wanted, other) };
  });
  const reach = 1 + Math.max(1, Math.floor(name.length / 4));
  return scored
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, NAMES_SHOWN)
    .map(({ candidate }) => candidate);
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
