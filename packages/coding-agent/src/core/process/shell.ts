/**
 * Which shell runs commands. Source: agent-and-tools.md B2 (local backend).
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface ShellConfig {
  shell: string;
  args: string[];
  /** How the command reaches the shell: as the last argument, or on its stdin. Default `argv`. */
  commandTransport?: "argv" | "stdin";
}

/**
 * The shell for commands: the custom one, else bash, else (not on Windows) sh.
 *
 * @throws Error `Custom shell path not found: <path>`, or on Windows when there is no bash
 */
export function getShellConfig(customPath?: string): ShellConfig {
  if (customPath) {
    if (!existsSync(customPath)) throw new Error(`Custom shell path not found: ${customPath}`);
    return configFor(customPath);
  }
  if (process.platform === "win32") return configFor(findWindowsBash());
  if (existsSync("/bin/bash")) return configFor("/bin/bash");
  return configFor(findOnPath("bash") ?? "sh");
}

/**
 * PowerShell, the current one if it is there.
 *
 * @throws Error away from Windows
 */
export function getPowerShellConfig(): ShellConfig {
  if (process.platform !== "win32") throw new Error("The powershell tool is only available on Windows.");
  const args = ["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command"];
  return { shell: findOnPath("pwsh.exe") ?? "powershell.exe", args };
}

/** The first executable of that name on PATH. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const path = env["PATH"] ?? env["Path"] ?? "";
  for (const dir of path.split(delimiter)) {
    if (dir === "") continue;
    const candidate = join(dir, name);
    if (isExecutableFile(candidate)) return candidate;
  }
  return undefined;
}

function configFor(shell: string): ShellConfig {
  // The bash of the old Windows Subsystem for Linux mangles arguments.
  if (process.platform === "win32" && /\\system32\\bash\.exe$/i.test(shell)) {
    return { shell, args: ["-s"], commandTransport: "stdin" };
  }
  return { shell, args: ["-c"] };
}

function findWindowsBash(): string {
  for (const root of [process.env["ProgramFiles"], process.env["ProgramFiles(x86)"]]) {
    const candidate = root && join(root, "Git", "bin", "bash.exe");
    if (candidate && existsSync(candidate)) return candidate;
  }
  const onPath = findOnPath("bash.exe");
  if (onPath) return onPath;
  throw new Error("No bash found. Install Git for Windows, or name a shell with the shellPath setting.");
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not to be run.
    return false;
  }
}
