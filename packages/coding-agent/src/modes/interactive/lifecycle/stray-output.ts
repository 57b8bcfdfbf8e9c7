import { format } from "node:util";

const METHODS = ["log", "info", "debug", "warn", "error"] as const;

/**
 * Keeps what extensions and libraries print away from the screen, which it would tear.
 * @param say gets each text that is printed
 * @returns what ends it
 */
export function catchConsole(say: (text: string) => void): () => void {
  const printer = globalThis.console;
  const usual = METHODS.map((name) => [name, printer[name]] as const);
  for (const name of METHODS) printer[name] = (...args: unknown[]) => say(format(...args));
  return () => {
    for (const [name, method] of usual) printer[name] = method;
  };
}
