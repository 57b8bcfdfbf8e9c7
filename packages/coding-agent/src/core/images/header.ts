/**
 * Size and orientation of images from their headers, without decoding them. Pure.
 */

export interface ImageSize {
  /** As stored: before any orientation is applied. */
  readonly width: number;
  readonly height: number;
}

/** EXIF orientation, 1 (upright) to 8. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Size by the header, or null when it cannot be read there. */
export function readImageSize(bytes: Uint8Array, mimeType: string): ImageSize | null {
  try {
    return sizeOf(bytes, mimeType);
  } catch (error) {
    // Reading past the end of a file that was cut off.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Orientation from the EXIF data of a JPEG, PNG or WebP; 1 when there is none. */
export function readOrientation(bytes: Uint8Array, mimeType: string): Orientation {
  try {
    const exif = findExif(bytes, mimeType);
    return exif ? orientationOf(exif) : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

function sizeOf(bytes: Uint8Array, mimeType: string): ImageSize | null {
  const view = viewOf(bytes);
  switch (mimeType) {
    case "image/png":
      return { width: view.getUint32(16), height: view.getUint32(20) };
    case "image/gif":
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    case "image/bmp":
      return view.getUint32(14, true) === 12
        ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
        : { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
    case "image/webp":
      return webpSize(bytes, view);
    case "image/jpeg":
      return jpegSize(bytes);
    default:
      return null;
  }
}

function webpSize(bytes: Uint8Array, view: DataView): ImageSize | null {
  const kind = ascii(bytes, 12, 4);
  if (kind === "VP8X") return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind !== "VP8L") return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

function jpegSize(bytes: Uint8Array): ImageSize | null {
  for (const { marker, data } of jpegSegments(bytes)) {
    // Start of frame, all kinds; C4, C8 and CC are other tables.
    if (marker < 0xc0 || marker > 0xcf || marker === 0xc4 || marker === 0xc8 || marker === 0xcc) continue;
    const view = viewOf(data);
    return { width: view.getUint16(3), height: view.getUint16(1) };
  }
  return null;
}

function* jpegSegments(bytes: Uint8Array): Generator<{ marker: number; data: Uint8Array }> {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) return;
    const length = view.getUint16(at + 2);
    yield { marker, data: bytes.subarray(at + 4, at + 2 + length) };
    at += 2 + length;
  }
}

/** The TIFF block that holds EXIF data. */
function findExif(bytes: Uint8Array, mimeType: string): Uint8Array | undefined {
  if (mimeType === "image/jpeg") {
    for (const { marker, data } of jpegSegments(bytes)) {
      if (marker === 0xe1 && ascii(data, 0, 6) === "Exif\0\0") return data.subarray(6);
    }
    return undefined;
  }
  if (mimeType === "image/png") return findChunk(bytes, 8, "eXIf", false);
  const exif = mimeType === "image/webp" ? findChunk(bytes, 12, "EXIF", true) : undefined;
  return exif && ascii(exif, 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
}

/** A chunk of a PNG (length, name, data, sum) or of a RIFF file (name, length, data, even size). */
function findChunk(bytes: Uint8Array, start: number, name: string, riff: boolean): Uint8Array | undefined {
  const view = viewOf(bytes);
  let at = start;
  while (at + 8 <= bytes.length) {
    const length = riff ? view.getUint32(at + 4, true) : view.getUint32(at);
    if (ascii(bytes, riff ? at : at + 4, 4) === name) return bytes.subarray(at + 8, at + 8 + length);
    at += riff ? 8 + length + (length % 2) : 12 + length;
  }
  return undefined;
}

function orientationOf(tiff: Uint8Array): Orientation {
  const view = viewOf(tiff);
  const little = ascii(tiff, 0, 2) === "II";
  const directory = view.getUint32(4, little);
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i;
    if (view.getUint16(entry, little) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
