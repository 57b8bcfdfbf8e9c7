/** `@path` words to text and images. Source: cli-and-config.md section 1.11. */
import { existsSync } from "node:fs";
import type { ImageContent } from "@earendil-works/pi-ai";
import { detectImageMimeType } from "../core/images/mime.js";
import { resolveUserPath } from "../core/session-store/paths.js";
import { readNamedFile } from "../core/storage/named-file.js";
import { missingFileAdvice, unreadableFileAdvice } from "./missing-file.js";

export interface FileArgsContent {
  text: string;
  images: ImageContent[];
}

/** @throws `File not found: <abs>`, `Could not read file <abs>: <why>` */
export function readFileArgs(paths: readonly string[], cwd: string): FileArgsContent {
  const content: FileArgsContent = { text: "", images: [] };
  for (const given of paths) {
    const path = resolveUserPath(given, cwd);
    if (!existsSync(path)) throw new Error(`File not found: ${path}\n${missingFileAdvice(path)}`);
    let bytes: Buffer;
    try {
      bytes = readNamedFile(path);
    } catch (error) {
      const problem = error as NodeJS.ErrnoException;
      throw new Error(`Could not read file ${path}: ${problem.message}${unreadableFileAdvice(path, problem)}`);
    }
    if (bytes.length === 0) continue;
    const mimeType = detectImageMimeType(bytes);
    if (mimeType) {
      content.images.push({ type: "image", mimeType, data: bytes.toString("base64") });
      content.text += `<file name="${path}"></file>\n`;
    } else {
      const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
      content.text += `<file name="${path}">\n${text}\n</file>\n`;
    }
  }
  return content;
}
