/** Ids of the Kitty pictures that a line places. */
export function imageIds(line: string): string[] {
  if (!line.includes("\x1b_G")) return [];
  return [...line.matchAll(/_G[^;]*\bi=(\d+)/g)].map((match) => match[1] ?? "");
}
