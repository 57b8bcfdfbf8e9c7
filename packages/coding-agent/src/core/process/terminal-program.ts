import { spawn } from "node:child_process";

/**
 * Runs a program that takes the terminal, such as an editor, to its end.
 *
 * @param command as the user wrote it, with arguments; the file is added
 * @throws when it cannot be started
 */
export function runInTerminal(command: string, file: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // Through a shell, because people write arguments and quotes into $EDITOR.
    const child =
      process.platform === "win32"
        ? spawn(`${command} "${file}"`, { stdio: "inherit", shell: true })
        : spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? undefined));
  });
}
