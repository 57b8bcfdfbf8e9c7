import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { bearsMark, killTree, markName, markOf } from "./tree.js";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function sleeping(mark: string): Promise<number> {
  const child = spawn("sleep", ["60"], { env: { ...process.env, [markName]: mark }, stdio: "ignore" });
  children.push(child);
  await new Promise((resolve) => child.once("spawn", resolve));
  return child.pid ?? 0;
}

describe.runIf(process.platform === "linux")("ending what an instance has started", () => {
  it("leaves instances of other state folders, and others of its own, alone", async () => {
    const own = await sleeping(markOf("place-a", "same", "h-1"));
    const others = [
      await sleeping(markOf("place-b", "same", "h-1")),
      await sleeping(markOf("place-a", "same-too", "h-1")),
      await sleeping(markOf("place-ab", "same", "h-1")),
    ];
    const ended = new Promise((resolve) => children[0]?.once("exit", (_code, signal) => resolve(signal)));
    const mark = markOf("place-a", "same");
    expect([own, ...others].map((pid) => bearsMark(pid, mark))).toEqual([true, false, false, false]);
    killTree(undefined, mark);
    expect(await ended).toBe("SIGKILL");
    expect(children.slice(1).map(({ signalCode }) => signalCode)).toEqual([null, null, null]);
  });
});
