/** When entries are waited for until they are on the disk itself; all others survive the process, not a power cut. */
export type FsyncPolicy = "never" | "important" | "always";

/** @throws `Invalid sessionFsync setting: <value>` */
export function fsyncPolicyOf(value: string): FsyncPolicy {
  if (value === "never" || value === "important" || value === "always") return value;
  throw new Error(`Invalid sessionFsync setting: ${value}. Use never, important or always.`);
}

export interface SessionFileOptions {
  /** Default `important`: after user messages and compactions, and when `sync` is called. */
  fsync?: FsyncPolicy | undefined;
  /** Nothing is written, not even what puts a file right. Default false. */
  readOnly?: boolean | undefined;
}

export interface SessionDiagnostic {
  type: "warning" | "error";
  message: string;
}
