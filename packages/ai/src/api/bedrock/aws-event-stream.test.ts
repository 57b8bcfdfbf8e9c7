import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AwsEventStreamParser, type AwsMessage } from "./aws-event-stream.js";
import { bedrockEvent } from "./bedrock-event.js";

/** A message as AWS describes it, with a header of another type in front. */
function message(headers: Record<string, string>, payload: string): Buffer {
  const parts = Object.entries(headers).map(([name, value]) => {
    const text = Buffer.from(value);
    return Buffer.concat([
      Buffer.from([Buffer.byteLength(name)]),
      Buffer.from(name),
      Buffer.from([7, text.length >> 8, text.length & 255]),
      text,
    ]);
  });
  const flags = Buffer.from([
    1,
    97,
    0,
    1,
    98,
    4,
    0,
    0,
    0,
    9,
    1,
    99,
    6,
    0,
    2,
    1,
    2,
    1,
    100,
    9,
    ...new Array(16).fill(1),
  ]);
  const head = Buffer.concat([flags, ...parts]);
  const body = Buffer.from(payload);
  const result = Buffer.alloc(16 + head.length + body.length);
  result.writeUInt32BE(result.length, 0);
  result.writeUInt32BE(head.length, 4);
  result.writeUInt32BE(crc32(result.subarray(0, 8)), 8);
  head.copy(result, 12);
  body.copy(result, 12 + head.length);
  result.writeUInt32BE(crc32(result.subarray(0, -4)), result.length - 4);
  return result;
}

const anyMessage = fc.record({
  headers: fc.dictionary(fc.stringMatching(/^:[a-z-]{1,20}$/), fc.string({ unit: "grapheme", maxLength: 30 }), {
    noNullPrototype: true,
  }),
  payload: fc.string({ unit: "grapheme", maxLength: 200 }),
});

test("any messages in any pieces", () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 6 }), fc.array(fc.nat(400)), (messages: AwsMessage[], cuts) => {
      const bytes = Buffer.concat(messages.map(({ headers, payload }) => message(headers, payload)));
      const parser = new AwsEventStreamParser();
      const ends = [...new Set([...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
      const read = ends.flatMap((end, index) => parser.push(bytes.subarray(ends[index - 1] ?? 0, end)));
      expect(read).toEqual(messages);
    }),
  );
});

describe("what is no event stream", () => {
  const good = message({ ":event-type": "x" }, "{}");
  test.each<[string, (bytes: Buffer) => void]>([
    ["a changed byte", (bytes) => bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40)],
    ["headers longer than the message", (bytes) => bytes.writeUInt32BE(9999, 4)],
    ["an absurd length", (bytes) => bytes.writeUInt32BE(0xffffffff, 0)],
    ["a length too small", (bytes) => bytes.writeUInt32BE(3, 0)],
  ])("%s", (_name, change) => {
    const bytes = Buffer.from(good);
    change(bytes);
    expect(() => new AwsEventStreamParser().push(bytes)).toThrow("Bedrock stream sent a damaged event");
  });

  test("text", () => {
    expect(() => new AwsEventStreamParser().push(Buffer.from("<html>Bad gateway</html>"))).toThrow("damaged");
  });
});

describe("bedrockEvent", () => {
  test("events under the name of their type", () => {
    const headers = { ":message-type": "event", ":event-type": "messageStop" };
    expect(bedrockEvent({ headers, payload: '{"stopReason":"x"}' })).toEqual({ messageStop: { stopReason: "x" } });
  });

  test.each<[Record<string, string>, string, string, string]>([
    [
      { ":message-type": "exception", ":exception-type": "throttlingException" },
      '{"message":"slow"}',
      "ThrottlingException",
      "slow",
    ],
    [{ ":message-type": "exception" }, "{}", "UnknownException", "{}"],
    [{ ":message-type": "error", ":error-code": "Bad", ":error-message": "so" }, "", "Bad", "so"],
  ])("failure %j", (headers, payload, name, text) => {
    let thrown: unknown;
    try {
      bedrockEvent({ headers, payload });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name, message: text });
  });
});
