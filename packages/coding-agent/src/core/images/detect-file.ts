import { open, stat } from "node:fs/promises";
import { detectImageMimeType, type ImageMimeType, SNIFFED_BYTES } from "./mime.js";

/**
 * The image type of a file by its content, or null. Special files are not looked into: reading may consume them.
 *
 * @throws Node's error when the file cannot be read, `EISDIR` for a directory
 */
export async function detectSupportedImageMimeTypeFromFile(path: string): Promise<ImageMimeType | null> {
  // Before it is opened: opening a pipe waits for somebody who writes to it.
  const info = await stat(path);
  if (!info.isFile() && !info.isDirectory()) return null;
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.alloc(SNIFFED_BYTES);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return detectImageMimeType(buffer.subarray(0, filled));
  } finally {
    await handle.close();
  }
}
