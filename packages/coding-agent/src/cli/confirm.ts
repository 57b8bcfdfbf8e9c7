import { createInterface } from "node:readline/promises";

/**
 * Asks the user. Anything but y or yes is a no, also when there is nobody to answer.
 * @param print shows the question
 */
export async function confirm(question: string, print: (text: string) => void): Promise<boolean> {
  print(question.trimEnd());
  if (process.stdin.readableEnded) return false;
  const lines = createInterface({ input: process.stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
