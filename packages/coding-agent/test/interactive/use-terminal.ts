import { afterEach } from "vitest";
import type { PiFixture } from "../pi.js";
import { PiTerminal, type TerminalOptions } from "./terminal.js";

/** Starts programs in terminals; each is ended after its test. */
export function useTerminal(): (fixture: PiFixture, args?: string[], options?: TerminalOptions) => PiTerminal {
  const running: PiTerminal[] = [];
  afterEach(() => {
    for (const terminal of running.splice(0)) terminal.kill();
  });
  return (fixture, args = [], options = {}) => {
    const terminal = new PiTerminal(fixture, args, options);
    running.push(terminal);
    return terminal;
  };
}
