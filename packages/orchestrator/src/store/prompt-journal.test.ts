import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PromptJournal } from "./prompt-journal.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the journal of prompts", () => {
  it("knows every id for ever, and writes old ones in few bytes", async () => {
    const path = join(folder, "prompts.jsonl");
    const journal = await PromptJournal.open(path);
    const at = new Date().toISOString();
    const command = { type: "prompt", message: "x".repeat(500) };
    await journal.put({ promptId: "open", state: "forwarded", at, command });
    await Promise.all(
      Array.from({ length: 1500 }, (_, count) =>
        journal.put({ promptId: `p${count}`, state: count === 0 ? "interrupted" : "delivered", at }),
      ),
    );
    expect(journal.get("p0")).toEqual({ promptId: "p0", state: "interrupted", at });
    expect(journal.all().length).toBe(1000);
    await journal.close();
    for (let opened = 0; opened < 2; opened++) {
      const again = await PromptJournal.open(path);
      expect(again.get("p0")).toEqual({ promptId: "p0", state: "interrupted", at });
      expect(again.get("p1499")).toMatchObject({ state: "delivered" });
      expect(again.get("open")).toMatchObject({ state: "forwarded", command });
      expect(again.get("never")).toBeUndefined();
      await again.close();
    }
    expect(readFileSync(path, "utf8").split("\n")[0]).toBe(JSON.stringify(["p0", "interrupted", at]));
  });
});
