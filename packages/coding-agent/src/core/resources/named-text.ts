import { existsSync } from "node:fs";
import { readNamedFile } from "../storage/named-file.js";

/** A value that names an existing file stands for its text. */
export function textOrFile(value: string, warn: (message: string) => void): string {
  if (value.includes("\n") || value.length > 4096 || !existsSync(value)) return value;
  try {
    return readNamedFile(value)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  } catch (error) {
    warn(`Could not read ${value}, so it is used as text: ${(error as Error).message}`);
    return value;
  }
}
