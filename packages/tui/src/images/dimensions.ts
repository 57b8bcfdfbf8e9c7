/** Size of a picture in pixels. */
export interface ImageDimensions {
  widthPx: number;
  heightPx: number;
}

/** Pictures say their size near the start; only JPEG may put a lot before it. */
const HEAD_CHARS = 64;

function head(b64: string): Buffer {
  return Buffer.from(b64.slice(0, HEAD_CHARS), "base64");
}

function size(widthPx: number, heightPx: number): ImageDimensions | null {
  return widthPx > 0 && heightPx > 0 ? { widthPx, heightPx } : null;
}

export function getPngDimensions(b64: string): ImageDimensions | null {
  const data = head(b64);
  if (data.length < 24 || data.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  return size(data.readUInt32BE(16), data.readUInt32BE(20));
}

export function getGifDimensions(b64: string): ImageDimensions | null {
  const data = head(b64);
  if (data.length < 10 || !/^GIF8[79]a/.test(data.toString("latin1", 0, 6))) return null;
  return size(data.readUInt16LE(6), data.readUInt16LE(8));
}

export function getWebpDimensions(b64: string): ImageDimensions | null {
  const data = head(b64);
  if (data.length < 30 || data.toString("latin1", 0, 4) !== "RIFF" || data.toString("latin1", 8, 12) !== "WEBP")
    return null;
  switch (data.toString("latin1", 12, 16)) {
    case "VP8 ":
      return size(data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff);
    case "VP8L": {
      const bits = data.readUInt32LE(21);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case "VP8X":
      return size(data.readUIntLE(24, 3) + 1, data.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}

export function getJpegDimensions(b64: string): ImageDimensions | null {
  const data = Buffer.from(b64, "base64");
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= data.length) {
    if (data[at] !== 0xff) return null;
    const marker = data[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return size(data.readUInt16BE(at + 7), data.readUInt16BE(at + 5));
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    at += standsAlone ? 2 : 2 + data.readUInt16BE(at + 2);
  }
  return null;
}

export function getImageDimensions(b64: string, mime: string): ImageDimensions | null {
  switch (mime.toLowerCase()) {
    case "image/png":
      return getPngDimensions(b64);
    case "image/jpeg":
    case "image/jpg":
      return getJpegDimensions(b64);
    case "image/gif":
      return getGifDimensions(b64);
    case "image/webp":
      return getWebpDimensions(b64);
    default:
      return null;
  }
}
