import { createInterface } from "node:readline/promises";

/** What was piped into the program and is not used yet; undefined = nothing was. */
export interface PipedInput {
  text: string | undefined;
}

/**
 * Asks the user. Anything but y or yes is a no, also when there is nobody to answer. Where input was piped its first line
 * is the answer, and is taken from it.
 * @param print shows the question
 */
export async function confirm(question: string, print: (text: string) => void, piped: PipedInput): Promise<boolean> {
  print(question.trimEnd());
  if (piped.text !== undefined) {
    const [first = "", ...rest] = piped.text.split("\n");
    piped.text = rest.join("\n").trim() || undefined;
    return isYes(first);
  }
  if (process.stdin.readableEnded) return false;
  const lines = createInterface({ input: process.stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  return isYes(answer);
}

function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
