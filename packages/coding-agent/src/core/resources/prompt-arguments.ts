/** Arguments of prompt templates. Pure. Source: extensions.md section 9.3. */

/**
 * Splits at white space. A quote opens at the start of an argument only; a backslash before the same quote stands for the
 * quote; a quote that nothing closes is an ordinary character.
 */
export function parsePromptArguments(text: string): string[] {
  const values: string[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const quoted = quotedAt(text, at);
    if (quoted) {
      const rest = /^\S*/.exec(text.slice(quoted.end))?.[0] ?? "";
      values.push(quoted.value + rest);
      at = quoted.end + rest.length;
      continue;
    }
    const word = /^\S+/.exec(text.slice(at))?.[0] ?? "";
    values.push(word);
    at += word.length;
  }
  return values;
}

function skipSpace(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
}

function quotedAt(text: string, at: number): { value: string; end: number } | undefined {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return undefined;
  let value = "";
  for (let next = at + 1; next < text.length; next++) {
    const character = text[next] as string;
    if (character === quote) return { value, end: next + 1 };
    if (character === "\\" && text[next + 1] === quote) {
      value += quote;
      next++;
    } else value += character;
  }
  return undefined;
}

const PLACE = /\$(?:(\d+)|(@|ARGUMENTS\b)|\{(?:(\d+|@|ARGUMENTS):-([^}]*)|@:(\d+)(?::(\d+))?)\})/g;

/** Puts arguments in their places, in one pass: what they contain is not looked at again. */
export function substitutePromptArguments(content: string, values: readonly string[]): string {
  const all = values.join(" ");
  return content.replace(PLACE, (_place, number, every, named, fallback, from, length) => {
    if (number !== undefined) return values[Number(number) - 1] ?? "";
    if (every !== undefined) return all;
    if (named !== undefined) {
      const value = named === "@" || named === "ARGUMENTS" ? all : values[Number(named) - 1];
      return value === undefined || value === "" ? fallback : value;
    }
    const start = Math.max(0, Number(from) - 1);
    return values.slice(start, length === undefined ? undefined : start + Number(length)).join(" ");
  });
}
