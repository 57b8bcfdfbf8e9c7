/** The files of one kind at a place: the place itself, or what lies directly in it. */
import { join } from "node:path";
import { namesIn, statIfExists } from "../storage/files.js";
import type { ResourcePlace } from "./resource-places.js";
import type { ResourceDiagnostic } from "./resource-types.js";

export interface FileKind {
  ending: string;
  /** As in "<label> does not exist". */
  label: string;
  /** As in "<label> is not a <format> file". */
  format: string;
}

/** @param diagnostics gets what is wrong with places that somebody named */
export function filesAt(
  { path, isNamed, accepts = () => true }: ResourcePlace,
  { ending, label, format }: FileKind,
  diagnostics: ResourceDiagnostic[],
): string[] {
  const warn = (message: string) => diagnostics.push({ type: "warning", message, path });
  try {
    const stats = statIfExists(path);
    if (stats?.isDirectory()) {
      const names = [...namesIn(path)].filter((name) => name.endsWith(ending) && !name.startsWith(".")).sort();
      return names.map((name) => join(path, name)).filter((file) => isFile(file) && accepts(file));
    }
    if (stats?.isFile() && path.endsWith(ending)) return accepts(path) ? [path] : [];
    if (isNamed) warn(stats ? `${label} is not a ${format} file` : `${label} does not exist`);
  } catch (error) {
    warn((error as Error).message);
  }
  return [];
}

function isFile(path: string): boolean {
  try {
    return statIfExists(path)?.isFile() === true;
  } catch {
    return false;
  }
}
