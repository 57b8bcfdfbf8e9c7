import { crc32 } from "node:zlib";

/**
 * The binary event stream of AWS: messages of a prelude (length of all, length of the headers, checksum of these),
 * headers, payload, and a checksum. The SDK reads it too, but takes five times the time for each event.
 */

export interface AwsMessage {
  /** String headers by name, such as `:event-type`; others are left out. */
  headers: Readonly<Record<string, string>>;
  /** UTF-8 text. */
  payload: string;
}

const PRELUDE = 12;
const CHECKSUM = 4;
/** AWS sends no longer ones; more means that this is another format. */
const MAX_MESSAGE = 24 * 1024 * 1024;

/** Lengths of header values by type; undefined for those that bring their own. */
const VALUE_LENGTHS: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];
const STRING_TYPE = 7;

/** Takes the bytes of a stream in any pieces. */
export class AwsEventStreamParser {
  #rest: Buffer = Buffer.alloc(0);
  #headerBytes: Buffer = Buffer.alloc(0);
  #headers: AwsMessage["headers"] = {};

  /**
   * The messages that are complete with this piece.
   * @throws Error when the bytes are no event stream or were damaged
   */
  push(piece: Uint8Array): AwsMessage[] {
    const own = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const bytes = this.#rest.length === 0 ? own : Buffer.concat([this.#rest, own]);
    const messages: AwsMessage[] = [];
    let at = 0;
    while (bytes.length - at >= PRELUDE) {
      const length = bytes.readUInt32BE(at);
      const headersLength = bytes.readUInt32BE(at + 4);
      if (length > MAX_MESSAGE || headersLength > length - PRELUDE - CHECKSUM) throw damaged();
      if (bytes.length - at < length) break;
      const end = at + length - CHECKSUM;
      if (crc32(bytes.subarray(at, end)) !== bytes.readUInt32BE(end)) throw damaged();
      const payloadAt = at + PRELUDE + headersLength;
      messages.push({
        headers: this.#read(bytes.subarray(at + PRELUDE, payloadAt)),
        payload: bytes.toString("utf8", payloadAt, end),
      });
      at += length;
    }
    this.#rest = bytes.subarray(at);
    return messages;
  }

  /** Most messages have the headers of the one before. */
  #read(bytes: Buffer): AwsMessage["headers"] {
    if (!bytes.equals(this.#headerBytes)) {
      this.#headers = parsedHeaders(bytes);
      this.#headerBytes = Buffer.from(bytes);
    }
    return this.#headers;
  }
}

function parsedHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    const type = bytes[nameEnd] ?? VALUE_LENGTHS.length;
    if (type >= VALUE_LENGTHS.length) throw damaged();
    const fixed = VALUE_LENGTHS[type];
    const valueAt = nameEnd + 1 + (fixed === undefined ? 2 : 0);
    if (valueAt > bytes.length) throw damaged();
    const valueEnd = valueAt + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (valueEnd > bytes.length) throw damaged();
    if (type === STRING_TYPE) headers[name] = bytes.toString("utf8", valueAt, valueEnd);
    at = valueEnd;
  }
  return headers;
}

function damaged(): Error {
  return new Error("Bedrock stream sent a damaged event: the stream was interrupted or changed on its way");
}
