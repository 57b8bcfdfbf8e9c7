import { execFile } from "node:child_process";

const timeoutMs = 10_000;

/**
 * Output of a `!command` value, trimmed; undefined when it fails, says nothing or takes longer than 10 s.
 * Source: llm.md section 11.5.
 */
export function runConfigCommand(command: string): Promise<string | undefined> {
  const [shell, flag] = process.platform === "win32" ? ["cmd.exe", "/c"] : ["/bin/sh", "-c"];
  return new Promise((resolve) => {
    execFile(shell, [flag, command], { timeout: timeoutMs, windowsHide: true }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim() || undefined);
    });
  });
}
