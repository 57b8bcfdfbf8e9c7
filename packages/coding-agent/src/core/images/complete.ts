/** Whether a picture is all there, by its structure, without decoding it. Pure. */

/** Bytes of a PNG chunk besides its data: length, name, sum. */
const PNG_CHUNK = 12;

/**
 * Whether the bytes end before the picture does, as those of a download that broke off. Models refuse such pictures,
 * and with them every request that holds one. Types that are not known here count as whole.
 */
export function isCutOff(bytes: Uint8Array, mimeType: string): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (mimeType) {
    case "image/png":
      return !reachesPngEnd(bytes, view);
    case "image/jpeg":
      return !hasJpegEnd(bytes);
    case "image/webp":
      return bytes.length < 8 || bytes.length < 8 + view.getUint32(4, true);
    case "image/gif":
      return !hasGifEnd(bytes);
    default:
      return false;
  }
}

function reachesPngEnd(bytes: Uint8Array, view: DataView): boolean {
  for (let at = 8; at + PNG_CHUNK <= bytes.length; at += PNG_CHUNK + view.getUint32(at)) {
    if (String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === "IEND") return true;
  }
  return false;
}

/** The end marker may be followed by whatever cameras add; it is not the one of a preview inside the head. */
function hasJpegEnd(bytes: Uint8Array): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at++;
    else if (marker === 0xda) break;
    else at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("ffd9", at, "hex") !== -1;
}

/** A trailer, perhaps with filling behind it. */
function hasGifEnd(bytes: Uint8Array): boolean {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes[end - 1] === 0x3b;
}
