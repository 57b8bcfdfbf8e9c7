import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { withFileMutationQueue } from "./file-mutation-queue.js";

let dir: string;
inTemporaryFolder("queue-test-", (path) => {
  dir = path;
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("withFileMutationQueue", () => {
  it("runs calls for one real file in order, one at a time, past failures", async () => {
    writeFileSync(join(dir, "f"), "");
    symlinkSync("f", join(dir, "link"));
    const events: string[] = [];
    const call = (name: string, n: number) =>
      withFileMutationQueue(join(dir, name), async () => {
        events.push(`start ${n}`);
        await pause(10 - 2 * n);
        events.push(`end ${n}`);
        if (n === 1) throw new Error("failed");
        return n;
      });
    const results = await Promise.allSettled([call("f", 0), call("link", 1), call("f", 2), call("link", 3)]);
    expect(events).toEqual([0, 1, 2, 3].flatMap((n) => [`start ${n}`, `end ${n}`]));
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  });

  it("runs different files side by side, missing ones by their path", async () => {
    let together = 0;
    let release = () => {};
    const allThree = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Each waits for the others: one after another they would never end.
    const meet = (name: string) =>
      withFileMutationQueue(join(dir, name), async () => {
        if (++together === 3) release();
        await allThree;
      });
    await Promise.all([meet("new1"), meet("new2"), meet("new3")]);

    let running = 0;
    let most = 0;
    const alone = (name: string) =>
      withFileMutationQueue(join(dir, name), async () => {
        most = Math.max(most, ++running);
        await pause(20);
        running--;
      });
    await Promise.all([alone("new1"), alone("./new1")]);
    expect(most).toBe(1);
  });

  it("rejects with other errors of the lookup", async () => {
    symlinkSync("loop", join(dir, "loop"));
    await expect(withFileMutationQueue(join(dir, "loop"), async () => 1)).rejects.toThrow("ELOOP");
    await expect(withFileMutationQueue(join(dir, "f"), async () => 1)).resolves.toBe(1);
  });
});
