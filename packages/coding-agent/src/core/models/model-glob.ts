/**
 * A model pattern as an expression: `*` and `?` do not cross `/`, `**` does, `[abc]`, `[a-z]`, `[!a]`; case is ignored.
 * An unclosed bracket is an ordinary character, and so are hyphens where a range would go backwards.
 * Source: llm.md section 13 (Patterns).
 */
export function modelGlob(pattern: string): RegExp {
  const source = pattern.replace(/\*\*|\*|\?|\[(!|\^)?(\]?[^\]]*)\]|[\\^$.|+()[\]{}/]/g, (match, not, members) => {
    if (match === "**") return ".*";
    if (match === "*") return "[^/]*";
    if (match === "?") return "[^/]";
    if (match.length > 1 && members) return oneOf(String(members), Boolean(not));
    return match.replace(/[\\^$.|?*+()[\]{}/]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "i");
}

function oneOf(members: string, not: boolean): string {
  const begin = not ? "[^" : "[";
  const escaped = members.replace(/[\\\]^[]/g, "\\$&");
  try {
    return new RegExp(`${begin}${escaped}]`).source;
  } catch {
    return `${begin}${escaped.replaceAll("-", "\\-")}]`;
  }
}
