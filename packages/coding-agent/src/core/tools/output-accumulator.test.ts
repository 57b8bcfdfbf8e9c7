import { existsSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { OutputAccumulator } from "./output-accumulator.js";
import { cleanOutput, OutputCleaner } from "./output-cleaning.js";
import type { OutputTail } from "./output-tail.js";
import { splitLines, truncateTail } from "./truncate.js";

const files: string[] = [];
afterEach(() => {
  for (const file of files.splice(0)) if (existsSync(file)) unlinkSync(file);
});

function accumulate(chunks: readonly Buffer[], limits: { maxLines?: number; maxBytes?: number }, clean = false) {
  const output = new OutputAccumulator({
    ...limits,
    tempFilePrefix: "pi-test",
    ...(clean && { cleaner: new OutputCleaner() }),
  });
  for (const chunk of chunks) void output.append(chunk);
  output.finish();
  const path = output.snapshot({ persistIfTruncated: true }).fullOutputPath;
  if (path) files.push(path);
  return output;
}

const bytes = fc
  .array(fc.constantFrom("a", "bb", "é", "😀", "\n", "\r\n", "\r"), { maxLength: 80 })
  .map((parts) => Buffer.from(parts.join("")));
const chunked = fc.tuple(bytes, fc.integer({ min: 1, max: 9 })).map(([whole, size]) => ({
  whole,
  chunks: Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size)),
}));
const limits = fc.record({ maxLines: fc.integer({ min: 1, max: 8 }), maxBytes: fc.integer({ min: 4, max: 40 }) });

/** Pieces of every size, of text that is plain, wide, coloured, overwritten or no text at all. */
const pieces = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom("a", "b\n", "é", "日本\n", "😀"), fc.integer({ min: 1, max: 9000 }))
      .map(([s, n]) => Buffer.from(s.repeat(n))),
    fc.constantFrom("\r", "\n", "x", "\x1b[3", "1m", "\u0085", "é").map((text) => Buffer.from(text)),
    fc
      .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe6, 0xf0, 0xff), { minLength: 1, maxLength: 4 })
      .map((values) => Buffer.from(values)),
    fc.constantFrom([0xe6], [0xe6, 0x97], [0xa5], [0xf0, 0x9f], [0x98, 0x80], [0xc3]).map((v) => Buffer.from(v)),
  ),
  { maxLength: 12 },
);

describe("OutputAccumulator", () => {
  it("shows what truncateTail shows of the whole, however it arrives", () => {
    fc.assert(
      fc.property(chunked, limits, ({ whole, chunks }, { maxLines, maxBytes }) => {
        const output = accumulate(chunks, { maxLines, maxBytes });
        expect(output.snapshot().truncation).toEqual(truncateTail(whole.toString(), { maxLines, maxBytes }));
        const lastLine = splitLines(whole.toString()).at(-1) ?? "";
        expect(output.getLastLineBytes()).toBe(Buffer.byteLength(lastLine));
      }),
      { numRuns: 300 },
    );
  });

  it("counts and shows cleaned text while the file keeps the raw bytes", () => {
    fc.assert(
      fc.property(chunked, ({ whole, chunks }) => {
        const output = accumulate(chunks, { maxLines: 1000, maxBytes: 1000 }, true);
        expect(output.snapshot().truncation).toEqual(
          truncateTail(cleanOutput(whole.toString()), { maxLines: 1000, maxBytes: 1000 }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("does so with pieces that are kept uncopied, and characters cut between them", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 4, max: 40_000 }), fc.boolean(), (chunks, maxBytes, looks) => {
        const output = new OutputAccumulator({ tempFilePrefix: "pi-test", maxBytes, cleaner: new OutputCleaner() });
        for (const chunk of chunks) {
          void output.append(chunk);
          if (looks) output.snapshot();
        }
        output.finish();
        const path = output.snapshot({ persistIfTruncated: true }).fullOutputPath;
        if (path) files.push(path);
        const text = cleanOutput(Buffer.concat(chunks).toString());
        expect(output.snapshot().truncation).toEqual(truncateTail(text, { maxBytes }));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the lines before one that grew long and was overwritten", () => {
    const output = accumulate(
      ["b\n", "a".repeat(200), "\rA"].map((text) => Buffer.from(text)),
      { maxBytes: 4 },
      true,
    );
    expect(output.snapshot()).toMatchObject({ content: "b\nA", truncation: { truncated: false, totalLines: 2 } });
  });

  it("opens a private file with everything once a limit is passed, and only then", async () => {
    const short = accumulate([Buffer.from("a\nb\n")], { maxLines: 2 });
    expect(short.snapshot().fullOutputPath).toBeUndefined();
    const raw = Buffer.from("\x1b[31ma\nb\x1b[0m\nc\n\xff", "latin1");
    const long = accumulate([raw.subarray(0, 5), raw.subarray(5)], { maxLines: 2 }, true);
    await long.closeTempFile();
    const path = long.snapshot().fullOutputPath ?? "";
    expect(dirname(path)).toBe(tmpdir());
    expect(basename(path)).toMatch(/^pi-test-[0-9a-f]{16}\.log$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path).equals(raw)).toBe(true);
  });

  it("refuses output after the end", () => {
    const output = accumulate([], {});
    expect(() => output.append(Buffer.from("x"))).toThrow("finished");
  });

  it("keeps a bounded tail of endless output", () => {
    const output = new OutputAccumulator({ tempFilePrefix: "pi-test", maxBytes: 1000, cleaner: new OutputCleaner() });
    const chunk = Buffer.from("y".repeat(9_999));
    for (let i = 0; i < 500; i++) void output.append(chunk);
    const { truncation, fullOutputPath } = output.snapshot();
    files.push(fullOutputPath ?? "");
    expect(truncation).toMatchObject({
      lastLinePartial: true,
      outputBytes: 1000,
      totalBytes: 4_999_500,
      totalLines: 1,
    });
    const tail = output["tail" as keyof OutputAccumulator] as unknown as OutputTail;
    expect(tail.size).toBeLessThan(4 * 1000 + 100);
  });

  it.each([
    ["within the limit, from memory", 10, "0123456789", "0123456789"],
    ["both ends", 4, "0123456789", "01\n\n[... 6 bytes omitted ...]\n\n89"],
    ["ends cut at characters", 6, "éé€€€éé", "é\n\n[... 13 bytes omitted ...]\n\né"],
  ])("reads the full output back: %s", async (_name, max, text, expected) => {
    for (const maxBytes of [1000, 3]) {
      const output = accumulate([Buffer.from(text)], { maxBytes });
      expect(await output.readFullOutput(max)).toBe(expected);
      await output.closeTempFile();
      expect(await output.readFullOutput(max)).toBe(expected);
    }
  });

  it("goes on without a file when there can be none", async () => {
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = "/nonexistent/dir";
    try {
      const output = accumulate([Buffer.from("a\nb\nc\n")], { maxLines: 1 });
      expect(output.snapshot()).toMatchObject({ content: "c" });
      expect(output.snapshot().fullOutputPath).toBeUndefined();
      expect(output.fileError?.message).toContain("ENOENT");
      await output.closeTempFile();
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
});
