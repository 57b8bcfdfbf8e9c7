/** AGENTS.md and its relatives. Source: agent-and-tools.md section D, cli-and-config.md section 6. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTextIfExists } from "../storage/files.js";

const names = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];

export interface ContextFile {
  /** Absolute. */
  path: string;
  content: string;
}

/**
 * Instructions for the project: the agent directory's file first, then one per directory from the root down to `cwd`.
 *
 * @param onWarning told about files that cannot be read
 */
export function loadProjectContextFiles(
  { cwd, agentDir }: { cwd: string; agentDir: string },
  onWarning: (text: string) => void = () => {},
): ContextFile[] {
  const directories = [agentDir, ...ancestors(resolve(cwd))];
  const seen = new Set<string>();
  const files: ContextFile[] = [];
  for (const directory of directories) {
    const file = firstReadable(directory, onWarning);
    if (!file || seen.has(file.path)) continue;
    seen.add(file.path);
    files.push(file);
  }
  return files;
}

function ancestors(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...ancestors(parent), directory];
}

function firstReadable(directory: string, onWarning: (text: string) => void): ContextFile | undefined {
  for (const name of names) {
    const path = join(directory, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    try {
      const content = readTextIfExists(path);
      if (content !== undefined) return { path, content };
    } catch (error) {
      onWarning(`Could not read ${path}: ${(error as Error).message}`);
    }
  }
  return undefined;
}
