import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { entriesOfFile } from "./session-entries.js";

const folder = mkdtempSync(join(tmpdir(), "entries-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("entries of a session without an agent", () => {
  const path = join(folder, "session.jsonl");
  const lines = ['{"type":"session","id":"s"}', '{"type":"message","id":"a"}', '{"type":"message","id":"b"}'];
  writeFileSync(path, `${lines.join("\n")}\n{"type":"mess`);

  it.each([
    [path, null, ["a", "b"]],
    [path, "a", ["b"]],
    [path, "b", []],
    [path, "gone", undefined],
    [join(folder, "missing"), null, []],
    [join(folder, "missing"), "a", undefined],
  ])("of %s after %s: %j", async (file, since, ids) => {
    const { success, data } = JSON.parse(await entriesOfFile(file, since));
    expect(success).toBe(ids !== undefined);
    expect(data?.entries.map(({ id }: { id: string }) => id)).toEqual(ids);
  });
});
