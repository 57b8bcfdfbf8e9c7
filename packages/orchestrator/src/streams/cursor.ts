/** Where a reader is: the last entry of the session it has, and the last event of which process. */
export interface Cursor {
  generation: number;
  seq: number;
  entryId: string | null;
}

export const beginning: Cursor = { generation: 0, seq: 0, entryId: null };

export function formatCursor({ generation, seq, entryId }: Cursor): string {
  return `${generation}.${seq}.${entryId ?? ""}`;
}

/** @throws for what `formatCursor` did not make */
export function parseCursor(text: string): Cursor {
  if (text === "") return beginning;
  const match = /^(\d{1,15})\.(\d{1,15})\.([^"\\\s]{0,200})$/.exec(text);
  if (!match)
    throw new Error(`Not a cursor: ${text.slice(0, 80)}. Use one that a frame brought, "now", or an empty one.`);
  return { generation: Number(match[1]), seq: Number(match[2]), entryId: match[3] || null };
}
