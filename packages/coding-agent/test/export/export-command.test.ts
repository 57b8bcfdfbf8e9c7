import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PiFixture } from "../pi.js";
import { SessionLines } from "./session-file.js";

let pi: PiFixture;
beforeEach(async () => {
  pi = await PiFixture.start(() => ({ blocks: [{ type: "text", text: "scripted answer" }] }));
});
afterEach(() => pi.close());

/** The session in a page, read as the page reads it. */
function dataIn(path: string) {
  const [, base64 = ""] = /id="session-data">([^<]*)</.exec(readFileSync(path, "utf8")) ?? [];
  return JSON.parse(Buffer.from(base64, "base64").toString());
}

describe("pi --export", () => {
  it("writes a page beside no session of its own, and leaves the session alone", async () => {
    const lines = new SessionLines();
    lines.user("hello");
    const file = join(pi.cwd, "talk.jsonl");
    lines.writeTo(file);
    const before = readFileSync(file, "utf8");
    const run = await pi.run(["--export", "talk.jsonl"]);
    expect(run).toEqual({ stdout: "Exported to: pi-session-talk.html\n", stderr: "", code: 0, signal: null });
    expect(dataIn(join(pi.cwd, "pi-session-talk.html"))).toMatchObject({
      header: { type: "session", id: "s-1" },
      leafId: "e0",
      entries: [{ type: "message", id: "e0" }],
    });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(readdirSync(pi.cwd).sort()).toEqual(["pi-session-talk.html", "talk.jsonl"]);
    expect(readdirSync(pi.agentDir).sort()).toEqual(["models.json", "settings.json"]);
  });

  it("writes where the first message says, with the folders on the way, over what was there", async () => {
    new SessionLines().writeTo(join(pi.cwd, "empty.jsonl"));
    const lines = new SessionLines();
    lines.user("hello");
    lines.writeTo(join(pi.cwd, "talk.jsonl"));
    for (let run = 0; run < 2; run++) {
      const { stdout, code } = await pi.run(["--export", join(pi.cwd, "talk.jsonl"), "a/b/page.html"]);
      expect({ stdout, code }).toEqual({ stdout: "Exported to: a/b/page.html\n", code: 0 });
    }
    expect(dataIn(join(pi.cwd, "a", "b", "page.html")).entries).toHaveLength(1);
  });

  it("counts the lines that are no entries: broken, without an id, with one that is taken", async () => {
    const lines = new SessionLines();
    lines.user("hello");
    const file = join(pi.cwd, "talk.jsonl");
    lines.writeTo(file);
    const [header, entry] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, [header, entry, "no json", "", '{"type":"custom","id":7}', entry, ""].join("\n"));
    expect((await pi.run(["--export", "talk.jsonl", "out.html"])).code).toBe(0);
    const { entries, skippedLines } = dataIn(join(pi.cwd, "out.html"));
    expect({ skippedLines, entries: entries.length }).toEqual({ skippedLines: 3, entries: 1 });
  });

  it("brings a session of an older format up to date in the page only", async () => {
    const old = [
      { type: "session", id: "old", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/" },
      { type: "message", timestamp: "2025-01-01T00:00:01.000Z", message: { role: "user", content: "q" } },
      { type: "message", timestamp: "2025-01-01T00:00:02.000Z", message: { role: "hookMessage", content: "h" } },
    ];
    const file = pi.write("old.jsonl", `${old.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const before = readFileSync(file, "utf8");
    expect((await pi.run(["--export", "old.jsonl", "old.html"])).code).toBe(0);
    const [first, second] = dataIn(join(pi.cwd, "old.html")).entries;
    expect(second).toMatchObject({ parentId: first.id, message: { role: "custom" } });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.each<[string, string[], string]>([
    [
      "a missing file",
      ["nowhere.jsonl"],
      "File not found: <cwd>/nowhere.jsonl\nThere is no file of that name in <cwd>.",
    ],
    ["a folder", ["."], "File not found: <cwd>\nIt is a folder: name a file in it."],
    ["no session", ["text.txt"], "Session file is not a valid pi session: <cwd>/text.txt"],
    ["a session without entries", ["empty.jsonl"], "Nothing to export yet - start a conversation first"],
    ["itself", ["talk.jsonl", "talk.jsonl"], "Cannot export a session over its own file: <cwd>/talk.jsonl"],
  ])("says what is wrong with %s", async (_, args, message) => {
    pi.write("text.txt", "text\n");
    new SessionLines().writeTo(join(pi.cwd, "empty.jsonl"));
    const lines = new SessionLines();
    lines.user("hello");
    lines.writeTo(join(pi.cwd, "talk.jsonl"));
    const before = readdirSync(pi.cwd);
    const { stdout, stderr, code } = await pi.run(["--export", ...args]);
    expect({ stdout, stderr, code }).toEqual({
      stdout: "",
      stderr: `Error: ${message.replaceAll("<cwd>", pi.cwd)}\n`,
      code: 1,
    });
    expect(readdirSync(pi.cwd)).toEqual(before);
  });
});

describe("export_html", () => {
  it("writes the running session, with its prompt and tools", async () => {
    const rpc = pi.rpc();
    expect(await rpc.call("export_html")).toMatchObject({
      success: false,
      error: "Nothing to export yet - start a conversation first",
    });
    await rpc.run("hello");
    expect(await rpc.ok("export_html", { outputPath: "page.html" })).toEqual({ path: "page.html" });
    const data = dataIn(join(pi.cwd, "page.html"));
    const { entries, leafId } = await rpc.ok("get_entries");
    expect(data).toMatchObject({ entries, leafId, skippedLines: 0, leftOutImages: 0 });
    expect(data.systemPrompt.length).toBeGreaterThan(100);
    expect(data.tools.map(({ name }: { name: string }) => name)).toContain("bash");
  });

  it("names its file after the session's", async () => {
    const rpc = pi.rpc();
    await rpc.run("hello");
    const { sessionFile } = await rpc.ok("get_state");
    const name = String(sessionFile).replace(/.*\//, "").replace(".jsonl", ".html");
    expect(await rpc.ok("export_html")).toEqual({ path: join(pi.cwd, `pi-session-${name}`) });
  });

  it("says that a session in memory cannot be exported, and what the system says about a bad place", async () => {
    const inMemory = pi.rpc(["--no-session"]);
    expect((await inMemory.call("export_html"))["error"]).toBe("Cannot export in-memory session to HTML");
    const rpc = pi.rpc();
    await rpc.run("hello");
    writeFileSync(join(pi.cwd, "file"), "");
    const response = await rpc.call("export_html", { outputPath: "file/page.html" });
    expect(response["success"]).toBe(false);
    expect(response["error"]).toMatch(/ENOTDIR|EEXIST/);
  });
});
