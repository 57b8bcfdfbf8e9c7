import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  // `start` would read the address as shell text.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Asks the system to show an address. Whether it does cannot be known, so the address is shown to the user anyway. */
export function openBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  try {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
    child.on("error", () => undefined);
    child.unref();
  } catch {
    // No such program: the user opens the address.
  }
}
