/** Formats that may hold no NUL for long, by their first bytes. Pure. */
const SIGNATURES: readonly (readonly [kind: string, latin1: string])[] = [
  ["PDF", "%PDF-"],
  ["gzip", "\x1f\x8b"],
  ["zip", "PK\x03\x04"],
  ["xz", "\xfd7zXZ"],
  ["zstd", "\x28\xb5\x2f\xfd"],
  ["bzip2", "BZh91AY&SY"],
  ["7z", "7z\xbc\xaf\x27\x1c"],
];
const LONGEST = Math.max(...SIGNATURES.map(([, signature]) => signature.length));

/** Name of the format; undefined for texts and for formats that are not known here. */
export function binaryKind(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, LONGEST)).toString("latin1");
  return SIGNATURES.find(([, signature]) => start.startsWith(signature))?.[0];
}
