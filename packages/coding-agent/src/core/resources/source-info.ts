/** Where a resource comes from. Source: protocol.md section 2.5. */
export interface SourceInfo {
  path: string;
  /** What brought it: `local`, the source of a package, `builtin`. */
  source: string;
  scope: "user" | "project" | "temporary";
  origin: "top-level" | "package";
  baseDir?: string;
  changelogPath?: string;
}
