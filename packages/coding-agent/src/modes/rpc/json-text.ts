/**
 * As `JSON.stringify`, for JSON values nested however deeply: what a client sends and is echoed. What is parsed without
 * trouble would exhaust the stack when it is written.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepJsonText(value);
  }
}

/** Takes what remains to be written from a list instead of the stack. */
function deepJsonText(value: unknown): string {
  const pieces: string[] = [];
  /** Texts to be written as they are, and values; the next one last. */
  const rest: ({ text: string } | { value: unknown })[] = [{ value }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if ("text" in next) pieces.push(next.text);
    else if (Array.isArray(next.value)) {
      rest.push({ text: "]" });
      for (let index = next.value.length - 1; index >= 0; index--) {
        rest.push({ value: next.value[index] ?? null });
        if (index > 0) rest.push({ text: "," });
      }
      pieces.push("[");
    } else if (typeof next.value === "object" && next.value !== null) {
      rest.push({ text: "}" });
      const entries = Object.entries(next.value).filter(([, member]) => member !== undefined);
      for (const [index, [key, member]] of [...entries.entries()].reverse()) {
        rest.push({ value: member }, { text: `${index > 0 ? "," : ""}${JSON.stringify(key)}:` });
      }
      pieces.push("{");
    } else pieces.push(JSON.stringify(next.value));
  }
  return pieces.join("");
}
