import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truncateLine } from "../truncate.js";
import type { FoundLine } from "./line-collector.js";
import { RG_OUTPUT_OPTIONS, rgOutputReader } from "./rg-output.js";
import { findRipgrep } from "./ripgrep.js";

/** What ripgrep writes for a line. */
function written({ type, path, line, text }: FoundLine): Buffer {
  return Buffer.from(`${path}\0${line}${type === "match" ? ":" : "-"}${text}\n`);
}

/** Lines as they come out of chunks of a size. */
function read(bytes: Buffer, size = bytes.length): FoundLine[] {
  const lines: FoundLine[] = [];
  const reader = rgOutputReader((line) => {
    lines.push(line);
    return "continue";
  });
  for (let i = 0; i < bytes.length; i += size) reader(bytes.subarray(i, i + size));
  return lines;
}

const match = (text: string, path = "./a.ts", line = 7): FoundLine => ({ type: "match", path, line, text });

describe("rgOutputReader", () => {
  it("reads any lines out of any chunks, and shows of long ones what it would of the whole", () => {
    const piece = fc.constantFrom("x", ":", "-", "1", "\0", "\r", "\u0001", "é", "漢", "😀", "WARNING: ", " ");
    const path = fc
      .array(fc.constantFrom("a", "/", ":", "-", "12", "\n", "é", "./", ": WARNING: "), { minLength: 1, maxLength: 5 })
      .map((parts) => `./${parts.join("")}`);
    const found: fc.Arbitrary<FoundLine> = fc.record({
      type: fc.constantFrom("match", "context"),
      path,
      line: fc.integer({ min: 1, max: 2 ** 31 }),
      text: fc
        .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom(1, 1, 200, 3000))
        .map(([pieces, times]) => pieces.join("").repeat(times)),
    });
    fc.assert(
      fc.property(fc.array(found, { maxLength: 5 }), fc.integer({ min: 1, max: 5000 }), (lines, size) => {
        const seen = read(Buffer.concat(lines.map(written)), size);
        const shown = (line: FoundLine) => ({ ...line, text: truncateLine(line.text) });
        expect(seen.map(shown)).toEqual(lines.map(shown));
        for (const { text } of seen) expect(text.length).toBeLessThanOrEqual(2048);
      }),
    );
  });

  it("stops when told to", () => {
    const seen: string[] = [];
    const reader = rgOutputReader(({ text }) => (seen.push(text) === 2 ? "stop" : "continue"));
    expect(reader(Buffer.concat(["a", "b", "c"].map((text) => written(match(text)))))).toBe("stop");
    expect(seen).toEqual(["a", "b"]);
  });

  it("shows bytes that are not UTF-8 as such", () => {
    const bytes = Buffer.concat([Buffer.from("./\xe9.ts\x001:a", "latin1"), Buffer.from([0xff, 0x0a])]);
    expect(read(bytes)).toEqual([match("a\uFFFD", "./\uFFFD.ts", 1)]);
  });

  it("leaves out what ripgrep says about a binary file", () => {
    const warning = (path: string) =>
      Buffer.from(`${path}: WARNING: stopped searching binary file after match (found "\\0" byte around offset 14)\n`);
    const lines = [match("a", "./x"), match("b", "./odd\nname"), match("c", "./z")];
    const output = lines.flatMap((line) => [written(line), warning(line.path)]);
    expect(read(Buffer.concat(output), 5)).toEqual(lines);
  });
});

describe("what ripgrep is asked for", () => {
  it("is in proportion to the lines, however many matches one line holds", async () => {
    const program = (await findRipgrep()) ?? "";
    const dir = mkdtempSync(join(tmpdir(), "rg-output-test-"));
    try {
      const line = "var x=1;".repeat(25_000);
      writeFileSync(join(dir, "one.js"), line);
      const { stdout } = spawnSync(program, ["--no-config", ...RG_OUTPUT_OPTIONS, "--", ".", "."], {
        cwd: dir,
        maxBuffer: 1e9,
      });
      expect(stdout.length).toBeLessThan(line.length + 100);
      expect(read(stdout)).toEqual([match(line.slice(0, 2048), "./one.js", 1)]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
