/**
 * A model pattern as an expression: `*` and `?` do not cross `/`, `**` does, `[abc]`, `[a-z]`, `[!a]`; case is ignored.
 * An unclosed bracket is an ordinary character. Source: llm.md section 13 (Patterns).
 */
export function modelGlob(pattern: string): RegExp {
  const source = pattern.replace(/\*\*|\*|\?|\[(!|\^)?(\]?[^\]]*)\]|[\\^$.|+()[\]{}/]/g, (match, not, members) => {
    if (match === "**") return ".*";
    if (match === "*") return "[^/]*";
    if (match === "?") return "[^/]";
    if (match.length > 1 && members) return `[${not ? "^" : ""}${String(members).replace(/[\\\]^[]/g, "\\$&")}]`;
    return match.replace(/[\\^$.|?*+()[\]{}/]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "i");
}
