/**
 * Removes `//` comments and trailing commas outside strings, so that `JSON.parse` takes the text. What is left stays where
 * it was, by line and column.
 */
export function stripJsonComments(text: string): string {
  // Strings are matched first, so what looks like a comment inside one is left alone.
  return text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*/g, (_match, string: string | undefined) => string ?? "")
    .replace(
      /("(?:\\.|[^"\\])*")|,(\s*[}\]])/g,
      (_match, string: string | undefined, close: string) => string ?? ` ${close}`,
    );
}
