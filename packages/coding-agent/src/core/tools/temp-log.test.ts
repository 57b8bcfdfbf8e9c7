import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { purgeOldLogs } from "./temp-log.js";

it("removes old logs of its own prefix only", async () => {
  const dir = mkdtempSync(join(tmpdir(), "purge-test-"));
  try {
    const now = Date.now();
    const old = now / 1000 - 8 * 24 * 3600;
    const names = [
      `pi-bash-${"a".repeat(16)}.log`,
      `pi-bash-${"b".repeat(16)}.log`,
      "pi-bash-notes.log",
      `pi-x-${"a".repeat(16)}.log`,
    ];
    for (const name of names) {
      writeFileSync(join(dir, name), "");
      if (!name.includes("bbb")) utimesSync(join(dir, name), old, old);
    }
    await purgeOldLogs("pi-bash", dir, now);
    expect(readdirSync(dir).sort()).toEqual([names[1], names[2], names[3]].sort());
  } finally {
    rmSync(dir, { recursive: true });
  }
});
