/** What all kinds of resources (skills, templates, themes, extensions) say about themselves. */

/** Where a resource came from. Source: protocol.md section 2.5. */
export interface SourceInfo {
  /** Of the resource itself. */
  path: string;
  /** `auto` for what was found, `cli` for what was named on the command line, else the package or the caller's word. */
  source: string;
  scope: "user" | "project" | "temporary";
  origin: "top-level" | "package";
  /** The folder it was found in. */
  baseDir?: string;
  changelogPath?: string;
}

/** Two resources of one name; the first one counts. */
export interface ResourceCollision {
  resourceType: "extension" | "skill" | "prompt" | "theme";
  name: string;
  winnerPath: string;
  loserPath: string;
  winnerSource?: string;
  loserSource?: string;
}

/** A problem with a resource. Nothing is thrown for it: the others load. */
export interface ResourceDiagnostic {
  type: "warning" | "error" | "collision";
  message: string;
  path?: string;
  collision?: ResourceCollision;
}

/** Where a further resource came from, before it is loaded. */
export interface PathMetadata extends Omit<SourceInfo, "path"> {
  packageRoot?: string;
}

/** A prompt that is sent by its name: `/name arguments`. */
export interface PromptTemplate {
  name: string;
  description: string;
  argumentHint?: string;
  content: string;
  sourceInfo: SourceInfo;
  filePath: string;
}
