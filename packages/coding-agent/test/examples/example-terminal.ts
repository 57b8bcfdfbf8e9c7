import { join } from "node:path";
import { onTestFinished } from "vitest";
import { PiTerminal } from "../interactive/terminal.js";
import { PiFixture } from "../pi.js";
import { examplesFolder } from "./coverage/contract.js";

export interface ExampleTerminalOptions {
  args?: string[];
  /** Called with the folders before the program starts. */
  prepare?: (pi: PiFixture) => void;
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  /** What is on the screen once the session is there. Default: the usual footer. */
  ready?: string | RegExp;
}

/** The program in a pseudo-terminal, with examples and a scripted model server. */
export async function exampleTerminal(
  names: readonly string[],
  script: Parameters<typeof PiFixture.start>[0] = [],
  { args = [], prepare, ready, ...options }: ExampleTerminalOptions = {},
) {
  const pi = await PiFixture.start(script);
  prepare?.(pi);
  const extensions = names.flatMap((name) => ["-e", join(examplesFolder, name)]);
  const terminal = new PiTerminal(pi, [...extensions, ...args], options);
  onTestFinished(async () => {
    terminal.kill();
    await pi.close();
  });
  if (ready === undefined) await terminal.ready();
  else await terminal.shows(ready);
  return {
    pi,
    terminal,
    /** Types a line and sends it, once it is there. */
    async say(line: string) {
      terminal.type(line);
      await terminal.shows(line);
      terminal.type("\r");
    },
  };
}
