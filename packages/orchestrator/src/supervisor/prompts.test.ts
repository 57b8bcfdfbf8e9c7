import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RpcProcess } from "../rpc-process.js";
import { PromptJournal } from "../store/prompt-journal.js";
import { Prompts } from "./prompts.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prompts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An agent that notes what it is given. */
function agent() {
  const given: string[] = [];
  return { given, process: { sendOnce: (id: string) => given.push(id) } as unknown as RpcProcess };
}

describe("the prompts of an agent", () => {
  it("are never given twice, however many came after", async () => {
    const journal = await PromptJournal.open(join(folder, "prompts.jsonl"));
    const prompts = new Prompts({
      journal,
      sessionFile: () => undefined,
      askSession: async () => {},
      onChange: () => {},
    });
    const { given, process } = agent();
    await prompts.online(process, []);
    const command = { type: "prompt", message: "x" };
    const take = (count: number) => prompts.accept(command, `p${count}`);
    await Promise.all(Array.from({ length: 1200 }, (_, count) => take(count)));
    await prompts.confirm(false);
    for (let count = 0; count < 1200; count++) {
      prompts.takeResponse('{"success":true,"data":{"disposition":"handled"}}', `"p_p${count}"`);
    }
    await prompts.confirm(false);
    expect(given.length).toBe(1200);
    expect(await take(0)).toMatchObject({ promptId: "p0", state: "handled" });
    await prompts.confirm(false);
    expect(given.length).toBe(1200);
    await prompts.close();
  });

  it("wait when the agent ends before it says in which session it is", async () => {
    const journal = await PromptJournal.open(join(folder, "prompts.jsonl"));
    let isThere = false;
    const askSession = async () => {
      if (!isThere) throw new Error("It ended.");
    };
    const prompts = new Prompts({ journal, sessionFile: () => undefined, askSession, onChange: () => {} });
    const first = agent();
    await prompts.online(first.process, []);
    await prompts.accept({ type: "prompt", message: "x" }, "p");
    expect(await prompts.ended(true)).toEqual([]);
    isThere = true;
    const second = agent();
    await prompts.online(second.process, []);
    expect([first.given, second.given]).toEqual([[], ["p"]]);
    await prompts.close();
  });
});
