import { type RunnerTestCase, test, vi } from "vitest";

/** A test says that it has just seen what a member of the contract does, in one of these examples. */
export interface Claim {
  examples: readonly string[];
  member: string;
  task: RunnerTestCase;
  /** Seen at a real pseudo-terminal, by the program that users run. */
  isTerminal: boolean;
}

export const claims: Claim[] = [];

interface Claiming {
  /** Called after the assertions that show the effect: a test that fails before claims nothing. */
  covers: (...members: string[]) => void;
}

/** Tests of examples. `terminal`: they run the program in a pseudo-terminal. */
export function testsOf(examples: readonly string[], { terminal = false } = {}) {
  // Many start the program, on machines that do other things too.
  vi.setConfig({ testTimeout: 120_000 });
  return test.extend<Claiming>({
    covers: async ({ task }, use) => {
      await use((...members) => {
        for (const member of members) claims.push({ examples, member, task, isTerminal: terminal });
      });
    },
  });
}
