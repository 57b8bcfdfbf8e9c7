/** Highest value of the 12 bits that order ids of one millisecond. */
const MAX_SEQUENCE = 0xfff;

let lastTimestamp = -1;
let sequence = 0;

/**
 * A UUID version 7: 48 bits of Unix time in ms, then a counter, then random bits.
 *
 * Without an argument, ids are strictly increasing as strings within the process, also when the clock steps back:
 * the counter takes the 12 bits after the version, and an exhausted counter borrows the next millisecond.
 * @param timestampMs an explicit time, outside of that order
 */
export function uuidv7(timestampMs?: number): string {
  // Not imported: loading the module takes milliseconds, and many processes never need an id.
  const bytes = process.getBuiltinModule("node:crypto").randomFillSync(new Uint8Array(16));
  const random = ((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0);
  if (timestampMs !== undefined) return format(bytes, timestampMs, random & MAX_SEQUENCE);
  const now = Date.now();
  if (now > lastTimestamp) {
    lastTimestamp = now;
    // Starts in the lower half, so that there is room to count up.
    sequence = random & (MAX_SEQUENCE >> 1);
  } else if (sequence < MAX_SEQUENCE) {
    sequence++;
  } else {
    lastTimestamp++;
    sequence = 0;
  }
  return format(bytes, lastTimestamp, sequence);
}

function format(bytes: Uint8Array, timestamp: number, order: number): string {
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(timestamp / 0x10000));
  view.setUint16(4, timestamp % 0x10000);
  view.setUint16(6, 0x7000 | order);
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Buffer.from(bytes.buffer).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
