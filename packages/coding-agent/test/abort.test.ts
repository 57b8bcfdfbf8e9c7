import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ScriptedTurn } from "@pi/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentSession, SessionManager, withFileMutationQueue } from "../src/index.js";
import { PiFixture } from "./pi.js";

/** Aborts at these many random instants; the full number when soaking. */
const instants = process.env["PI_SOAK"] ? 200 : 12;
const longestRunMs = 700;

let pi: PiFixture;
/** In every command line of a run, so that what is left of it can be found. */
let marker: string;

beforeAll(async () => {
  pi = await PiFixture.start(({ conversation }) => {
    if (conversation.lastResults.length > 0) return { blocks: [{ type: "text", text: "done" }] };
    return { ...fiveTools(), eventDelayMs: 1 };
  });
});
afterAll(() => pi.close());

/** Five tools at once: a chatty command, one with a child in a session of its own, a write, an edit and a search. */
function fiveTools(): ScriptedTurn {
  const command = `: ${marker}; i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.01; done`;
  return {
    blocks: [
      { type: "text", text: "Five at once." },
      { type: "toolCall", name: "bash", arguments: { command } },
      { type: "toolCall", name: "bash", arguments: { command: `setsid sh -c ': ${marker}; sleep 20' & sleep 0.3` } },
      { type: "toolCall", name: "write", arguments: { path: "written.txt", content: "x".repeat(100_000) } },
      {
        type: "toolCall",
        name: "edit",
        arguments: { path: "edited.txt", edits: [{ oldText: "old", newText: "new" }] },
      },
      { type: "toolCall", name: "grep", arguments: { pattern: "needle" } },
    ],
  };
}

/** Ids of calls and results after each answer that came to its end. */
function assertWellFormed(messages: readonly AgentMessage[]): void {
  messages.forEach((message, index) => {
    if (message.role !== "assistant") return;
    const results: string[] = [];
    for (const next of messages.slice(index + 1)) {
      if (next.role !== "toolResult") break;
      results.push(next.toolCallId);
    }
    const failed = message.stopReason === "aborted" || message.stopReason === "error";
    const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    expect(results).toEqual(failed ? [] : calls);
  });
}

function processesWith(text: string): string[] {
  const table = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" });
  return table.split("\n").filter((line) => line.includes(text) && !line.includes("ps -eo"));
}

describe("abort at random instants of a run with five parallel tools", () => {
  it(`${instants} times: the transcript is well-formed, no process is left, no lock is held`, async () => {
    const seed = Number(process.env["PI_TEST_SEED"] ?? 1);
    for (let round = 0; round < instants; round++) {
      marker = `pi-abort-${randomBytes(6).toString("hex")}`;
      writeFileSync(join(pi.cwd, "edited.txt"), "needle old\n");
      const { session } = await createAgentSession({
        cwd: pi.cwd,
        agentDir: pi.agentDir,
        tools: ["bash", "write", "edit", "grep"],
        sessionManager: SessionManager.create(pi.cwd, join(pi.home, "sessions")),
      });
      const stored = session.sessionManager;
      const waitMs = (((seed + round) * 7919) % 1000) * (longestRunMs / 1000);
      const run = session.prompt("go");
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      const abortedAt = performance.now();
      await session.abort();
      await run;
      expect(performance.now() - abortedAt).toBeLessThan(3000);

      assertWellFormed(session.messages);
      const last = session.messages.at(-1);
      expect(last).toMatchObject({ role: "assistant", stopReason: expect.stringMatching(/^(aborted|stop)$/) });
      // What is on disk is what is in memory.
      const entries = readFileSync(stored.getSessionFile() ?? "", "utf8")
        .trimEnd()
        .split("\n")
        .slice(1);
      const messages = entries.map((line) => JSON.parse(line)).filter(({ type }) => type === "message");
      expect(messages.map(({ message }) => message.role)).toEqual(session.messages.map(({ role }) => role));

      const text = readFileSync(join(pi.cwd, "edited.txt"), "utf8");
      expect(["needle old\n", "needle new\n"]).toContain(text);
      await Promise.race([
        withFileMutationQueue(join(pi.cwd, "edited.txt"), async () => {}),
        new Promise((_resolve, reject) => setTimeout(() => reject(new Error("the file is still locked")), 1000)),
      ]);
      if (last?.role === "assistant" && last.stopReason === "aborted") {
        expect(processesWith(marker)).toEqual([]);
      }
      session.dispose();
      for (const line of processesWith(marker)) process.kill(Number(line.trim().split(" ")[0]), "SIGKILL");
    }
  });
});
