/** Everything on standard input, trimmed; undefined when it is a terminal or holds nothing. */
export async function readPipedStdin(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  } catch {
    // A closed or missing stdin (as some services have it) is an empty one.
  }
  return Buffer.concat(chunks).toString("utf8").trim() || undefined;
}
