/** Notices in one block behind a result. */
export function withNotices(text: string, notices: readonly string[]): string {
  return notices.length > 0 ? `${text}\n\n[${notices.join(". ")}]` : text;
}
