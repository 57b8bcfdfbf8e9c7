/**
 * The range of a read call as it stands behind a path: `:from`, `:from-to`, or nothing.
 *
 * @param offset 1-based first line; taken as 1 when only `limit` is a number
 */
export function formatReadLineRange(offset: unknown, limit: unknown): string {
  const from = typeof offset === "number" && Number.isFinite(offset) ? offset : undefined;
  const count = typeof limit === "number" && Number.isFinite(limit) ? limit : undefined;
  if (from === undefined && count === undefined) return "";
  const first = from ?? 1;
  return count === undefined ? `:${first}` : `:${first}-${first + count - 1}`;
}
