const CONTROL_LIMIT = 0x20;
const SIMPLE_ESCAPES = new Set('"\\/bfnrt');
const NAMED_CONTROLS: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * Makes two common slips of models valid JSON: raw control characters inside strings are escaped, and a backslash
 * that begins no valid escape is doubled. Everything else stays as it is. Source: llm.md section 8.
 */
export function repairJson(text: string): string {
  let result = "";
  let copied = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '"') {
      inString = !inString;
    } else if (inString && char === "\\") {
      const length = escapeLength(text, index);
      if (length === 0) {
        result += `${text.slice(copied, index)}\\\\`;
        copied = index + 1;
      } else {
        index += length - 1;
      }
    } else if (inString && text.charCodeAt(index) < CONTROL_LIMIT) {
      result += text.slice(copied, index) + escapeControl(char);
      copied = index + 1;
    }
  }
  return result + text.slice(copied);
}

/** Length of the valid (or, at the end of the text, still possible) escape at `index`; 0 when it is none. */
function escapeLength(text: string, index: number): number {
  const next = text.charAt(index + 1);
  if (next === "" || SIMPLE_ESCAPES.has(next)) return 2;
  if (next !== "u") return 0;
  const digits = text.slice(index + 2, index + 6);
  const atEnd = index + 2 + digits.length === text.length;
  if (!/^[0-9a-fA-F]*$/.test(digits)) return 0;
  return digits.length === 4 || atEnd ? 2 + digits.length : 0;
}

function escapeControl(char: string): string {
  return NAMED_CONTROLS[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Parses JSON, with the slips repaired that `repairJson` knows.
 * @throws SyntaxError of the text as it was given
 */
export function parseJsonWithRepair<T = unknown>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    const repaired = repairJson(text);
    if (repaired === text) throw error;
    try {
      return JSON.parse(repaired) as T;
    } catch {
      throw error;
    }
  }
}
