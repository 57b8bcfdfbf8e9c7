import * as zlib from "node:zlib";

const LEVEL = 3;

/** Newer lines of Node have zstd; the types of the oldest supported one do not. */
interface Zstd {
  zstdCompressSync?: (data: string, options: { params: Record<number, number> }) => Uint8Array;
  constants: { ZSTD_c_compressionLevel?: number };
}

const { zstdCompressSync, constants } = zlib as unknown as Zstd;

/** True when this Node can compress requests. */
export const canCompress = zstdCompressSync !== undefined;

/** The bytes of a body; its text where this Node cannot compress. */
export function compressed(text: string): string | Uint8Array {
  const parameter = constants.ZSTD_c_compressionLevel;
  if (!zstdCompressSync || parameter === undefined) return text;
  return zstdCompressSync(text, { params: { [parameter]: LEVEL } });
}
