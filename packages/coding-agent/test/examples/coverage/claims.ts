import { type RunnerTestCase, test } from "vitest";

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
  return test.extend<Claiming>({
    covers: async ({ task }, use) => {
      await use((...members) => {
        for (const member of members) claims.push({ examples, member, task, isTerminal: terminal });
      });
    },
  });
}
