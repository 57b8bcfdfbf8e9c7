import { createInterface } from "node:readline/promises";

/** Asks on the terminal. Anything but y or yes is a no, also when there is nobody to answer. */
export async function confirm(question: string): Promise<boolean> {
  if (process.stdin.readableEnded) {
    process.stderr.write(`${question}\n`);
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
