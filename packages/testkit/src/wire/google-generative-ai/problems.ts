import type { RequestView } from "../wire.js";

export function findProblems(_request: RequestView): string[] {
  return [];
}
