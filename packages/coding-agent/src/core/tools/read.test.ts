import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { readChunks } from "./read/local-file.js";
import { createReadTool, createReadToolDefinition, type ReadOperations, type ReadToolInput } from "./read.js";
import { formatSize } from "./truncate.js";

let dir: string;
inTemporaryFolder("read-test-", (path) => {
  dir = path;
});

async function read(input: string | ReadToolInput, operations?: ReadOperations) {
  const params = typeof input === "string" ? { path: input } : input;
  const result = await createReadTool(dir, operations && { operations }).execute("1", params);
  return { ...result, text: result.content[0]?.type === "text" ? result.content[0].text : "" };
}

const put = (name: string, content: string | Buffer) => writeFileSync(join(dir, name), content);

describe("text", () => {
  it.each([
    [{}, "a\nb\nc\n"],
    [{ limit: 2 }, "a\nb\n\n[2 more lines in file. Use offset=3 to continue.]"],
    [{ limit: 3 }, "a\nb\nc"],
    [{ limit: 4 }, "a\nb\nc\n"],
    [{ limit: 0 }, "a\n\n[3 more lines in file. Use offset=2 to continue.]"],
    [{ limit: -5 }, "a\n\n[3 more lines in file. Use offset=2 to continue.]"],
    [{ offset: 2, limit: 1 }, "b\n\n[2 more lines in file. Use offset=3 to continue.]"],
    [{ offset: 3 }, "c\n"],
    [{ offset: 4 }, ""],
    [{ offset: 0 }, "a\nb\nc\n"],
    [{ offset: -3 }, "a\nb\nc\n"],
    [{ offset: 2.5, limit: 1.5 }, "b\n\n[2 more lines in file. Use offset=3 to continue.]"],
  ])("a, b, c with %j", async (range, text) => {
    put("f", "a\nb\nc\n");
    const result = await read({ path: "f", ...range });
    expect(result.text).toBe(text);
    expect(result.details).toBeUndefined();
    expect(result.structuredContent).toBe(text);
  });

  it("an offset behind the end", async () => {
    put("f", "a\nb\nc\n");
    await expect(read({ path: "f", offset: 5 })).rejects.toThrow("Offset 5 is beyond end of file (4 lines total)");
    put("g", "a\nb");
    await expect(read({ path: "g", offset: 3 })).rejects.toThrow("Offset 3 is beyond end of file (2 lines total)");
  });

  it("an empty file is empty text", async () => {
    put("f", "");
    expect((await read("f")).text).toBe("");
  });

  it("more than 2000 lines", async () => {
    const lines = Array.from({ length: 2500 }, (_, i) => `${i + 1}`);
    put("f", `${lines.join("\n")}\n`);
    const { text, details } = await read("f");
    expect(text).toBe(
      `${lines.slice(0, 2000).join("\n")}\n\n[Showing lines 1-2000 of 2501. Use offset=2001 to continue.]`,
    );
    expect(details?.truncation).toMatchObject({ truncatedBy: "lines", totalLines: 2500, outputLines: 2000 });
    const rest = await read({ path: "f", offset: 2001 });
    expect(rest.text).toBe(`${lines.slice(2000).join("\n")}\n`);
    put("g", `${lines.slice(0, 2000).join("\n")}\n`);
    expect((await read("g")).details).toBeUndefined();
  });

  it("more than 50 KB", async () => {
    put("f", `${"x".repeat(999)}\n`.repeat(100));
    const { text, details } = await read("f");
    expect(text.endsWith("\n\n[Showing lines 1-51 of 101 (50.0KB limit). Use offset=52 to continue.]")).toBe(true);
    expect(details?.truncation).toMatchObject({ truncatedBy: "bytes", totalLines: 100, totalBytes: 100_000 });
  });

  it("exactly 50 KB and a newline is all there is", async () => {
    put("f", `${"x".repeat(51_200)}\n`);
    expect((await read("f")).text).toBe("x".repeat(51_200));
  });

  it("a first line over 50 KB", async () => {
    put("f", `a\n${"x".repeat(60 * 1024)}\nb`);
    expect((await read("f")).text).toBe("a\n\n[Showing lines 1-1 of 3 (50.0KB limit). Use offset=2 to continue.]");
    const { text, details } = await read({ path: "./f", offset: 2 });
    expect(text).toBe("[Line 2 is 60.0KB, exceeds 50.0KB limit. Use bash: sed -n '2p' ./f | head -c 51200]");
    expect(details?.truncation?.firstLineExceedsLimit).toBe(true);
  });

  it("odd bytes stay: BOM, CR, escapes; invalid ones become U+FFFD", async () => {
    put("f", Buffer.from("\uFEFFa\r\n\x1b[1mb"));
    expect((await read("f")).text).toBe("\uFEFFa\r\n\x1b[1mb");
    put("g", Buffer.from([0x61, 0xff, 0x62]));
    expect((await read("g")).text).toBe("a\uFFFDb");
  });

  it("UTF-16 with a byte order mark is decoded", async () => {
    put("le", Buffer.from("\uFEFFhé\nx\n", "utf16le"));
    expect((await read("le")).text).toBe("hé\nx\n");
    put("be", Buffer.from("\uFEFFhé\nx\n", "utf16le").swap16());
    expect((await read({ path: "be", offset: 2 })).text).toBe("x\n");
  });

  it.each([
    ["PDF", "%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n", "PDF, 21B: not shown. Use bash to inspect it, e.g. with pdftotext.]"],
    ["gzip", "\x1f\x8b\x08\x01\x02\x03", "gzip, 6B: not shown."],
    ["zip", "PK\x03\x04\x14\x01", "zip, 6B: not shown."],
    ["xz", "\xfd7zXZ", "xz, 5B: not shown."],
    ["zstd", "\x28\xb5\x2f\xfd\x24", "zstd, 5B: not shown."],
    ["bzip2", "BZh91AY&SY", "bzip2, 10B: not shown."],
    ["7z", "7z\xbc\xaf\x27\x1c", "7z, 6B: not shown."],
  ])("%s is known without a NUL", async (_name, content, notice) => {
    put("f", Buffer.from(content, "latin1"));
    expect((await read("f")).text.startsWith(`[Binary file, ${notice}`)).toBe(true);
  });

  it.each(["PK is text", "BZhou", "7zip", "percent %PDF-1.7", "%PD"])("%s is text", async (content) => {
    put("f", content);
    expect((await read("f")).text).toBe(content);
  });

  it.runIf(process.platform === "linux")(
    "the size is that of the content where the file system tells none",
    async () => {
      const { text } = await read("/proc/self/environ");
      const size = readFileSync("/proc/self/environ").length;
      expect(text).toMatch(`[Binary file, ${formatSize(size)}: not shown.`);
    },
  );

  it("binary files are named, not dumped", async () => {
    put("f.bin", Buffer.concat([Buffer.from("abc\0"), Buffer.alloc(3000)]));
    expect((await read("f.bin")).text).toMatch(/^\[Binary file, 2\.9KB: not shown\./);
    put("late", `${"x".repeat(5000)}\0`);
    expect((await read("late")).text).toBe(`${"x".repeat(5000)}\0`);
  });

  it("characters across chunks survive", async () => {
    const text = "€".repeat(15_000);
    put("f", `${"a".repeat(65_535)}\n${text}`);
    expect((await read({ path: "f", offset: 2 })).text).toBe(text);
  });

  it("a file that grows while it is read ends where it was", async () => {
    const path = join(dir, "f");
    put("f", "x".repeat(200_000));
    let bytes = 0;
    for await (const chunk of readChunks(path, {})) {
      bytes += chunk.length;
      appendFileSync(path, "more");
    }
    expect(bytes).toBe(200_000);
    expect((await read("/proc/self/stat")).text).toMatch(/^\d+ \(/);
  });
});

describe("errors", () => {
  it("missing files: Node's message, then similar names", async () => {
    put("Readme.md", "");
    put("other.ts", "");
    await expect(read("README.md")).rejects.toThrow(
      `ENOENT: no such file or directory, access '${join(dir, "README.md")}'. Similar names in ${dir}: Readme.md.`,
    );
    await expect(read("zzz")).rejects.toThrow(/^ENOENT: no such file or directory, access '.*zzz'$/);
    await expect(read("no/such")).rejects.toThrow(`The directory ${join(dir, "no")} does not exist.`);
  });

  it("directories: Node's message, then a hint to ls", async () => {
    mkdirSync(join(dir, "d"));
    await expect(read("d")).rejects.toThrow(
      /^EISDIR: illegal operation on a directory, read\. d is a directory; list it with ls\.$/,
    );
    await expect(read("")).rejects.toThrow(`read. ${dir} is a directory; list it with ls.`);
  });

  it.skipIf(process.getuid?.() === 0)("files that may not be read", async () => {
    put("f", "");
    chmodSync(join(dir, "f"), 0);
    await expect(read("f")).rejects.toThrow(`EACCES: permission denied, access '${join(dir, "f")}'`);
  });

  it("abort rejects at once, whatever the read does", async () => {
    const operations: ReadOperations = {
      access: () => new Promise(() => undefined),
      readFile: async () => Buffer.alloc(0),
    };
    const controller = new AbortController();
    const running = createReadTool(dir, { operations }).execute("1", { path: "f" }, controller.signal);
    setTimeout(() => controller.abort(), 10);
    await expect(running).rejects.toThrow("Operation aborted");
    await expect(createReadTool(dir).execute("1", { path: "f" }, AbortSignal.abort())).rejects.toThrow(
      "Operation aborted",
    );
  });
});

describe("images", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );

  it("are attached by content, unchanged within the limits", async () => {
    put("picture.txt", png);
    const { content, structuredContent, details } = await read("picture.txt");
    const data = png.toString("base64");
    expect(content).toEqual([
      { type: "text", text: "Read image file [image/png]" },
      { type: "image", data, mimeType: "image/png" },
    ]);
    expect(structuredContent).toEqual({
      type: "image",
      data,
      mimeType: "image/png",
      note: "Read image file [image/png]",
    });
    expect(details).toBeUndefined();
    put("fake.png", "just text");
    expect((await read("fake.png")).text).toBe("just text");
  });

  it("stay attached for a model without images, which details name", async () => {
    put("p.png", png);
    const ctx = { cwd: dir, model: { id: "m", input: ["text"] } };
    const result = await createReadToolDefinition("/").execute(
      "1",
      { path: "p.png" },
      undefined,
      undefined,
      ctx as never,
    );
    expect(result.content).toHaveLength(2);
    expect(result.details).toEqual({ imageUnsupportedByModel: "m" });
  });

  it("are found by custom operations or by content", async () => {
    const operations = { access: async () => undefined, readFile: async () => png };
    expect((await read("x", operations)).content).toHaveLength(2);
    expect((await read("x", { ...operations, detectImageMimeType: async () => null })).text).toMatch(/^\[Binary file/);
  });
});
