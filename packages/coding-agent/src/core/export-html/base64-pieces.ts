/** Base64 of bytes that come in pieces: as if they had come at once. */
export function* base64Pieces(pieces: Iterable<Buffer>): Generator<string, void> {
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    // Three bytes are four characters; what is left over waits for the next piece.
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield bytes.toString("base64", 0, whole);
    // A copy: pieces may be views of a buffer that is used again.
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (rest.length > 0) yield rest.toString("base64");
}
