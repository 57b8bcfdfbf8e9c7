/**
 * What a thrown value says. Anything can be thrown, also what cannot be made a text: this never throws.
 */
export function errorText(thrown: unknown): string {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : undefined;
    return typeof message === "string" ? message : String(thrown);
  } catch {
    return "An error without a readable message was thrown";
  }
}
