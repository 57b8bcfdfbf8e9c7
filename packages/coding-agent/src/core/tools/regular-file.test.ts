import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEditTool } from "./edit.js";
import { createFindTool } from "./find.js";
import { createGrepTool } from "./grep.js";
import { createReadTool } from "./read.js";
import { openRegularFile } from "./regular-file.js";
import { replaceFile } from "./replace-file.js";
import { searchWithoutRipgrep } from "./search/js-search.js";
import { createWriteTool } from "./write.js";

let dir: string;
let pipe: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "regular-test-"));
  pipe = join(dir, "pipe");
  if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
});
afterEach(() => {
  // A thread that waits at the pipe would hold the process for ever.
  if (process.platform !== "win32") closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
  rmSync(dir, { recursive: true, force: true });
});

const tools = {
  read: (path: string) => createReadTool(dir).execute("1", { path }),
  edit: (path: string) => createEditTool(dir).execute("1", { path, edits: [{ oldText: "a", newText: "b" }] }),
  write: (path: string) => createWriteTool(dir).execute("1", { path, content: "x" }),
  grep: (path: string) => createGrepTool(dir).execute("1", { path, pattern: "x" }),
};

describe.skipIf(process.platform === "win32")("what is no regular file", () => {
  it.each(Object.entries(tools))(
    "%s refuses it at once",
    async (_name, run) => {
      symlinkSync(pipe, join(dir, "link"));
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(dir, "socket"), resolve));
      try {
        await expect(run("pipe")).rejects.toThrow(/^Not a regular file: .*\/pipe \(it is a named pipe\)$/);
        await expect(run("link")).rejects.toThrow(/^Not a regular file: .*\/link \(it is a named pipe\)$/);
        await expect(run("socket")).rejects.toThrow(/^Not a regular file: .*\/socket \(it is a socket\)$/);
        await expect(run("/dev/zero")).rejects.toThrow("Not a regular file: /dev/zero (it is a character device)");
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    },
    5000,
  );

  it("is refused too when it came after the check", async () => {
    const { O_RDONLY, O_WRONLY } = constants;
    await expect(openRegularFile(pipe, O_RDONLY)).rejects.toThrow("(it is a named pipe)");
    await expect(openRegularFile(pipe, O_WRONLY)).rejects.toThrow("(it is a named pipe)");
    await expect(replaceFile(pipe, "x")).rejects.toThrow("(it is a named pipe)");
    const query = { pattern: "x", path: pipe, isDirectory: false, ignoreCase: false, literal: false };
    await expect(searchWithoutRipgrep({ ...query, context: 0, limit: 1 }, undefined)).rejects.toThrow("named pipe");
  });

  it.each([".gitignore", ".ignore", ".rgignore", ".git", ".git/info/exclude"])(
    "called %s it holds no rules, above a search",
    async (name) => {
      const below = join(dir, "below");
      mkdirSync(join(below, "src"), { recursive: true });
      const special = join(below, name);
      mkdirSync(dirname(special), { recursive: true });
      execFileSync("mkfifo", [special]);
      writeFileSync(join(below, "src", "a.txt"), "x");
      const found = await within10s([
        createFindTool(below).execute("1", { pattern: "*.txt" }),
        createGrepTool(below).execute("1", { pattern: "x", path: "src" }),
        createGrepTool(below).execute("1", { pattern: "x", path: "src/a.txt" }),
      ]);
      closeSync(openSync(special, constants.O_RDWR | constants.O_NONBLOCK));
      expect(found).toEqual(["src/a.txt", "a.txt:1: x", "a.txt:1: x"]);
    },
    20_000,
  );

  it.each([".gitignore", ".ignore", ".rgignore", ".git", ".git/info/exclude", "a link"])(
    "called %s it holds no rules, below a search",
    async (name) => {
      const below = join(dir, "below");
      const special = join(below, "src", name);
      mkdirSync(dirname(special), { recursive: true });
      execFileSync("mkfifo", [special]);
      if (name === "a link") symlinkSync(special, join(below, "src", ".ignore"));
      writeFileSync(join(below, "src", "a.txt"), "x");
      const found = await within10s([
        createFindTool(below).execute("1", { pattern: "*.txt" }),
        createGrepTool(below).execute("1", { pattern: "x" }),
      ]);
      closeSync(openSync(special, constants.O_RDWR | constants.O_NONBLOCK));
      expect(found).toEqual(["src/a.txt", "src/a.txt:1: x"]);
    },
    20_000,
  );
});

/** The texts of the results, or undefined when they take too long. */
async function within10s(runs: Promise<{ content: { type: string; text?: string }[] }>[]) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 10_000);
  });
  const results = await Promise.race([Promise.all(runs), late]);
  clearTimeout(timer);
  return results?.map(({ content }) => content[0]?.text);
}
