import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ImageLimits } from "./image-limits.js";
import { type ExportSource, type LiveSession, sessionDataJson } from "./session-data.js";

const header = { type: "session" as const, version: 3, id: "s", timestamp: "2026-11-30T08:00:00.000Z", cwd: "/" };

function dataOf(lines: readonly string[], live?: LiveSession, limits?: ImageLimits) {
  const source: ExportSource = {
    getHeader: () => header,
    getLeafId: () => "leaf",
    entryLines: () => lines.map((line) => Buffer.from(line)),
    getLeftOutLineCount: () => 0,
  };
  return JSON.parse(Buffer.concat([...sessionDataJson(source, live, limits)]).toString());
}

const image = (size: number) => ({ type: "image", mimeType: "image/png", data: "A".repeat(size) });
const withImages = (...sizes: number[]) =>
  JSON.stringify({ type: "message", id: "m", message: { role: "user", content: sizes.map(image) } });

describe("the data of a page", () => {
  it("is header, leaf and entries as they are stored", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (entries) => {
        const lines = entries.map((entry) => JSON.stringify(entry));
        expect(dataOf(lines)).toEqual({
          header,
          leafId: "leaf",
          entries: lines.map((line) => JSON.parse(line)),
          skippedLines: 0,
          leftOutImages: 0,
        });
      }),
    );
  });

  it("has prompt and tools of a session that runs, and nothing of a tool but what the model is told", () => {
    const parameters = { type: "object" };
    const tool = { name: "t", description: "d", parameters, execute: "secret" };
    expect(dataOf([], { systemPrompt: "p", tools: [tool] })).toMatchObject({
      systemPrompt: "p",
      tools: [{ name: "t", description: "d", parameters }],
    });
    expect(JSON.stringify(dataOf([], { tools: [tool] }))).not.toContain("secret");
  });

  it.each(['{"id":"a"', '{"id":"a"}],"leafId":"x","more":[{}', "7", "null", '{"id":"\ud800'])(
    "leaves out a line that is no JSON object: %s",
    (line) => {
      expect(dataOf(['{"id":"1"}', line, '{"id":"2"}'])).toMatchObject({
        leafId: "leaf",
        entries: [{ id: "1" }, { id: "2" }],
        skippedLines: 1,
      });
    },
  );

  it.each<[string, string[], number[], number]>([
    ["one image above its limit", [withImages(11, 10)], [0, 10], 1],
    ["images above the limit of all", [withImages(10, 10), withImages(10, 5)], [10, 10, 0, 5], 1],
    ["none", [withImages(1, 2)], [1, 2], 0],
  ])("leaves out images: %s", (_, lines, sizes, leftOut) => {
    const data = dataOf(lines, {}, { perImage: 10, total: 25 });
    const images = data.entries.flatMap((entry: { message: { content: unknown[] } }) => entry.message.content);
    expect(images.map((block: { data: string }) => block.data.length)).toEqual(sizes);
    expect(data.leftOutImages).toBe(leftOut);
  });

  it("looks for images in custom messages and in replacements too", () => {
    const content = [image(11)];
    const lines = [
      { type: "custom_message", content },
      { type: "context_edit", replacement: { content } },
    ].map((entry) => JSON.stringify(entry));
    expect(dataOf(lines, {}, { perImage: 10, total: 99 }).leftOutImages).toBe(2);
  });
});
