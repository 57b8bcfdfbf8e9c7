import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or so. One of them that came last would keep one worker busy and the others waiting. */
const long = [
  "cli/rows",
  "examples/examples",
  "agent-directory",
  "print-mode",
  "test/docs",
  "test/publish",
  "rpc-order",
];

/** The order that Vitest takes, which knows no times on a fresh machine, with the long files first. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(`${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
