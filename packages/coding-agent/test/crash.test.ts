import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const kills = process.env["PI_SOAK"] ? 500 : 6;
const body = "a line of the body that stays what it is\n".repeat(40_000);
const content = (version: number) => `first ${version} .\n${body}last ${version} .\n`;

/** Edits one file through a link and writes another one, again and again; tells the number after each round. */
const worker = `
  import { createEditTool, createWriteTool } from "@earendil-works/pi-coding-agent";
  import { readFileSync } from "node:fs";
  const dir = process.argv[1];
  const edit = createEditTool(dir);
  const write = createWriteTool(dir);
  const body = readFileSync(dir + "/body", "utf8");
  const current = (path) => Number(/^first (\\d+) /.exec(readFileSync(dir + path, "utf8"))[1]);
  for (let edited = current("/link"), written = current("/written"); ; ) {
    const next = edited + 1;
    await Promise.all([
      edit.execute("1", { path: "link", edits: ["first", "last"].map((word) => (
        { oldText: word + " " + edited + " .", newText: word + " " + next + " ." })) }),
      write.execute("2", { path: "written", content: "first " + ++written + " .\\n" + body + "last " + written + " .\\n" }),
    ]);
    edited = next;
    console.log(edited);
  }
`;

let dir: string;
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "crash-test-")));
  mkdirSync(join(dir, "real"));
  writeFileSync(join(dir, "body"), body);
  writeFileSync(join(dir, "real/file"), content(1));
  chmodSync(join(dir, "real/file"), 0o640);
  symlinkSync("real/file", join(dir, "link"));
  writeFileSync(join(dir, "written"), content(1), { mode: 0o600 });
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

function start(): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "-e", worker, dir], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Lets a worker do one whole round, and kills it at a random instant of a later one. */
async function runAndKill(): Promise<string[]> {
  const child = start();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    if (!child.stdout) throw new Error("no output of the worker");
    let rounds = 0;
    for await (const _round of createInterface({ input: child.stdout })) {
      rounds++;
      break;
    }
    if (rounds === 0) throw new Error("the worker ended before its first round");
    const afterOneRound = strayFiles().filter((name) => !name.includes(`.${child.pid}-`));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    return afterOneRound;
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

const strayFiles = () =>
  ["", "real"].flatMap((sub) => readdirSync(join(dir, sub)).filter((name) => name.endsWith(".tmp")));

function checkWhole(path: string, mode: number): void {
  const text = readFileSync(join(dir, path), "utf8");
  const version = Number(/^first (\d+) /.exec(text)?.[1]);
  expect(text === content(version), `${path} is torn`).toBe(true);
  expect(statSync(join(dir, path)).mode & 0o777).toBe(mode);
}

describe("kill -9 at a random instant", { timeout: 1_800_000 }, () => {
  it("leaves the old file or the new one, its mode and its link, and nothing that the next write does not clear", async () => {
    for (let i = 0; i < kills; i++) {
      const left = await runAndKill();
      expect(left).toEqual([]);
      checkWhole("real/file", 0o640);
      checkWhole("written", 0o600);
      expect(lstatSync(join(dir, "link")).isSymbolicLink()).toBe(true);
      expect(strayFiles().length).toBeLessThanOrEqual(2);
    }
  });
});
