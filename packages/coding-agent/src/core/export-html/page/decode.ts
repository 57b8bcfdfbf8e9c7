/** Characters that are decoded at once; a multiple of four, so that each part is base64 of its own. */
const STEP = 1 << 20;

/** The UTF-8 text in base64. In steps, for texts of a hundred megabytes. */
export function decodeBase64Text(base64: string): string {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < base64.length; at += STEP) {
    const binary = atob(base64.slice(at, at + STEP));
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    parts.push(decoder.decode(bytes, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join("");
}
