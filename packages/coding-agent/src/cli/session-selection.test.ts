import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inTemporaryFolder } from "../../test/temporary-folder.js";
import { encodeCwd } from "../core/session-store/paths.js";
import { parseArgs } from "./args.js";
import { selectSession } from "./session-selection.js";

const isWindows = process.platform === "win32";

let agentDir: string;
let cwd: string;
let folder: string;
inTemporaryFolder("pi-selection-", (path) => {
  agentDir = join(path, "agent");
  cwd = join(path, "project");
  folder = join(agentDir, "sessions", encodeCwd(cwd));
  for (const dir of [cwd, folder]) mkdirSync(dir, { recursive: true });
  vi.stubEnv("PI_CODING_AGENT_DIR", agentDir);
});
afterEach(() => vi.unstubAllEnvs());

interface Selected {
  /** Its id, or that it is a new one, or the text of the error. */
  session: string;
  said: string[];
}

/** What a start with these words goes on with, and what it says. Paths are `$FOLDER` and `$CWD`. */
async function select(...words: string[]): Promise<Selected> {
  const said: string[] = [];
  const shown = (text: string) => text.replaceAll(folder, "$FOLDER").replaceAll(cwd, "$CWD").replaceAll(agentDir, "$A");
  const args = parseArgs(words);
  const options = { args, cwd, agentDir, sessionDir: args.sessionDir, confirm: undefined };
  try {
    const manager = await selectSession({ ...options, warn: (text) => said.push(shown(text)) });
    said.push(...manager.drainDiagnostics().map(({ message }) => shown(message)));
    const id = manager.getSessionId();
    const kind = manager.isPersisted() ? "new" : "in memory";
    return { session: manager.isOnDisk() ? id : kind, said };
  } catch (error) {
    return { session: shown((error as Error).message), said };
  }
}

const name = (id: string) => `2026-01-01T00-00-00-000Z_${id}.jsonl`;
const header = (id: string) =>
  `${JSON.stringify({ type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd })}\n`;

function session(id: string, into = folder): void {
  writeFileSync(join(into, name(id)), header(id));
  utimesSync(join(into, name(id)), 1000, 1000);
}

const kinds: [string, (path: string) => void, string][] = [
  ["garbage", (path) => writeFileSync(path, "garbage\n\0\n"), "it is no session"],
  ["another format", (path) => writeFileSync(path, '{"type":"other"}\n'), "it is no session"],
  ["nothing", (path) => writeFileSync(path, ""), "it is empty"],
  ["a link in circles", (path) => symlinkSync(path, path), "it is a link that leads in circles"],
  ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), "it is a link to nothing"],
  ["a folder", (path) => mkdirSync(path), "it is a directory, but a file is expected there"],
  [
    "a pipe that nobody writes to",
    (path) => execFileSync("mkfifo", [path]),
    "it is a named pipe, but a file is expected there",
  ],
];

describe.skipIf(isWindows).each(kinds)("a session file that is %s", (_, make, reason) => {
  const bad = name("bad");
  const refusal = `Error: Session file cannot be read: $FOLDER/${bad}: ${reason}\nIt is left as it is: make it readable, or move it away. Pick another session: pi --resume`;

  it("is named by -c, which goes on with an older one or begins a new one", async () => {
    make(join(folder, bad));
    expect(await select("-c")).toEqual({
      session: "new",
      said: [`No session can be read to go on with, so a new one begins. Unreadable: $FOLDER/${bad}: ${reason}.`],
    });
    session("old");
    expect(await select("-c")).toEqual({
      session: "old",
      said: [
        `The newest session cannot be read, so an older one goes on, $FOLDER/${name("old")}. Unreadable: $FOLDER/${bad}: ${reason}.`,
      ],
    });
    // What is older than the one that goes on does not matter.
    writeFileSync(join(folder, name("newer")), header("newer"));
    utimesSync(join(folder, name("newer")), 9e9, 9e9);
    expect(await select("-c")).toEqual({ session: "newer", said: [] });
  });

  it("is not made a second time, and not missing", async () => {
    make(join(folder, bad));
    session("other");
    for (const words of [
      ["--session-id", "bad"],
      ["--session", "bad"],
      ["--session", "ba"],
      ["--fork", "bad"],
    ]) {
      expect(await select(...words)).toEqual({ session: refusal, said: [] });
    }
    expect((await select("--fork", "other", "--session-id", "bad")).session).toMatch(/^Session already exists with id/);
    expect(readdirSync(folder).filter((file) => file.endsWith(".jsonl"))).toHaveLength(2);
    expect(await select("--session-id", "other")).toEqual({ session: "other", said: [] });
  });

  it("is refused as a path", async () => {
    const path = join(cwd, "named.jsonl");
    make(path);
    for (const option of ["--fork", "--session"]) {
      const { session: text } = await select(option, path);
      // An empty file gets its header.
      if (reason === "it is empty" && option === "--session") expect(text).toMatch(/^[0-9a-f-]{36}$/);
      else expect(text).toContain("$CWD/named.jsonl");
    }
  });
});

describe.skipIf(isWindows)("a folder of one's own choice", () => {
  it("has other files too, which are no sessions", async () => {
    writeFileSync(join(cwd, "data.jsonl"), "{}\n");
    expect(await select("--session-dir", cwd, "-c")).toEqual({ session: "new", said: [] });
    writeFileSync(join(cwd, name("bad")), "garbage\n");
    expect((await select("--session-dir", cwd, "-c")).said).toHaveLength(1);
  });
});

describe.skipIf(isWindows)("a folder of sessions that nobody can look into", () => {
  it("is said in one line, and the start goes on without saving", async () => {
    const sessions = join(agentDir, "sessions");
    rmSync(sessions, { recursive: true });
    symlinkSync(sessions, sessions);
    const why = "$FOLDER is a link that leads in circles. Name another place with --session-dir.";
    expect(await select()).toEqual({ session: "in memory", said: [`This session is not saved: ${why}`] });
    expect(await select("-c")).toEqual({
      session: "in memory",
      said: [`No earlier session can be read, and this one is not saved: ${why}`],
    });
    expect((await select("--session-id", "x")).said.at(-1)).toBe(`This session is not saved: ${why}`);
    expect(await select("--session", "x")).toMatchObject({
      session: expect.stringMatching(/^No session found/),
      said: ["Session folder cannot be read: $FOLDER is a link that leads in circles"],
    });
  });

  it("and that was named ends the start", async () => {
    const path = join(cwd, "loop");
    symlinkSync(path, path);
    for (const words of [["-c"], ["--session-id", "x"]]) {
      expect((await select("--session-dir", path, ...words)).session).toBe(
        "Error: Session folder cannot be read: $CWD/loop is a link that leads in circles\n" +
          "Allow this user to read it, or name another one with --session-dir.",
      );
    }
  });
});
