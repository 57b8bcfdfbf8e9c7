import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PiFixture, usePi } from "../pi.js";
import { keys, leftOn, type PiTerminal } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const start = usePi();
const open = useTerminal();
const answer = () => ({ blocks: [{ type: "text" as const, text: "An answer." }] });

async function converse(terminal: PiTerminal, text = "hello"): Promise<void> {
  await terminal.ready();
  terminal.type(text, keys.enter);
  await terminal.shows("An answer.");
}

const sessionFile = (pi: PiFixture) => {
  const root = join(pi.agentDir, "sessions");
  const name = readdirSync(root, { recursive: true, encoding: "utf8" }).find((one) => one.endsWith(".jsonl"));
  if (name === undefined) throw new Error("no session file");
  return join(root, name);
};

describe("without credentials", () => {
  it.each([40, 80, 200])("offers what works, on one screen of %i columns", async (columns) => {
    const pi = await start(answer);
    pi.configure("models.json", "{}");
    const terminal = open(pi, [], { bare: true, columns });
    await terminal.shows("Welcome. No model can be used yet");
    await expect.poll(() => terminal.text()).toContain("→ Sign in");
    await expect.poll(() => terminal.text()).toContain("Use a model on this machine");
    terminal.type(keys.down, keys.enter);
    await terminal.shows(/No model server answers on\s+this machine\./);
    terminal.type(keys.down, keys.down, keys.enter);
    await terminal.until("the editor", () => !terminal.text().includes("Welcome"));
    terminal.type("hello", keys.enter);
    await terminal.shows("Error: No model selected.");
    await expect.poll(() => terminal.text()).toContain("\nhello\n");
  });

  it("stores a key and goes on with the provider's model", async () => {
    const pi = await start(answer);
    pi.configure("models.json", "{}");
    const terminal = open(pi, [], { bare: true, columns: 100 });
    await terminal.shows("→ Sign in");
    terminal.type(keys.enter);
    await terminal.shows("→ Subscription");
    terminal.type(keys.down, keys.enter);
    await terminal.shows("Provider");
    terminal.type("mistral");
    await terminal.shows("→ Mistral");
    terminal.type(keys.enter);
    await terminal.shows(/submit/);
    terminal.type("secret-key");
    await terminal.shows("••••••••••");
    expect(terminal.output).not.toContain("secret-key");
    terminal.type(keys.enter);
    await terminal.shows("Signed in. Model:");
  });
});

describe("--resume", () => {
  it("lets a session be picked before anything else", async () => {
    const pi = await start(answer);
    const first = open(pi);
    await converse(first, "about pears");
    first.type(keys.ctrl("d"));
    await first.exited;
    const second = open(pi, ["--resume"]);
    await second.shows("→ about pears");
    second.type(keys.enter);
    await second.shows("An answer.");
  });

  it("says that nothing was picked", async () => {
    const pi = await start(answer);
    const terminal = open(pi, ["--resume"]);
    await terminal.shows("No sessions found");
    terminal.type(keys.escape);
    expect((await terminal.exited).exitCode).toBe(0);
    await expect.poll(() => terminal.all().join("\n")).toContain("No session selected");
    expect(leftOn(terminal.output)).toEqual([]);
  });
});

describe("a session that another process writes", () => {
  it("can be read, and nothing is written", async () => {
    const pi = await start(answer);
    await converse(open(pi));
    const second = open(pi, ["--session", sessionFile(pi)]);
    await second.shows("Session is in use by pid");
    second.type(keys.enter);
    await second.shows("• read-only");
    expect(second.text()).toContain("An answer.");
    second.type("more", keys.enter);
    await second.shows("Error: Session is open for reading only");
  });

  it("can be copied", async () => {
    const pi = await start(answer);
    await converse(open(pi));
    const second = open(pi, ["--session", sessionFile(pi)]);
    await second.shows("Session is in use by pid");
    second.type(keys.down, keys.enter);
    await second.ready();
    second.type("more", keys.enter);
    await second.until("both answers", () => second.text().split("An answer.").length === 3);
  });

  it("can be had once the other process has ended", async () => {
    const pi = await start(answer);
    const first = open(pi);
    await converse(first);
    const second = open(pi, ["--session", sessionFile(pi)]);
    await second.shows("Session is in use by pid");
    second.type(keys.down, keys.down, keys.enter);
    await second.shows("Waiting for pid");
    // Not before.
    first.type("again", keys.enter);
    await first.until("two answers", () => first.text().split("An answer.").length === 3);
    first.child.kill("SIGKILL");
    await second.until("both answers", () => second.text().split("An answer.").length === 3);
    await second.ready();
    second.type("mine now", keys.enter);
    await second.until("three answers", () => second.text().split("An answer.").length === 4);
  });
});

it("shows what another process added, and asks when that one goes on", async () => {
  const pi = await start(answer);
  const first = open(pi);
  await converse(first);
  const second = open(pi, ["--session", sessionFile(pi)]);
  await second.shows("Session is in use by pid");
  second.type(keys.down, keys.down, keys.enter);
  first.type(keys.ctrl("d"));
  await first.exited;
  await second.shows("An answer.");
  await second.ready();
  // Nobody writes it now; a third one does, and ends.
  expect(await pi.pi(["--session", sessionFile(pi), "-p", "from elsewhere"])).toMatchObject({ code: 0 });
  second.type("mine", keys.enter);
  await second.until("all three", () => second.text().split("An answer.").length === 4);
  expect(second.text()).toContain("from elsewhere");
  expect(second.text()).toContain("Another process added to the session");
  const third = open(pi, ["--session", sessionFile(pi)]);
  await third.shows("Session is in use by pid");
});

it("gives back what was to be sent at once when it cannot be", async () => {
  const pi = await start(answer);
  const time = "2026-11-30T08:27:32.913Z";
  const file = pi.write(
    "newer.jsonl",
    `${JSON.stringify({ type: "session", version: 4, id: "s", timestamp: time, cwd: pi.cwd })}\n`,
  );
  const terminal = open(pi, ["--session", file, "first words", "second words"]);
  await terminal.shows("Error: Session is open for reading only");
  await terminal.shows(/first words\n(?:.*\n)? *second words/);
  expect(pi.server.requests).toHaveLength(0);
});

it("says which models are at hand, and what this machine lacks", async () => {
  const pi = await start(answer);
  const bin = join(pi.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "tmux"), "#!/bin/sh\necho off\n", { mode: 0o755 });
  const terminal = open(pi, ["--models", "scripted/*"], {
    env: { TMUX: "/x", PATH: `${bin}:${process.env["PATH"]}` },
    columns: 100,
  });
  await terminal.shows("Model scope: ");
  await terminal.shows("tmux keeps some keys from programs");
});

it("asks whether a project is trusted", async () => {
  const pi = await start(answer);
  mkdirSync(join(pi.cwd, ".pi"));
  writeFileSync(join(pi.cwd, ".pi", "settings.json"), JSON.stringify({ outputPad: 0 }));
  const terminal = open(pi);
  await terminal.shows("Trust project folder?");
  terminal.type(keys.enter);
  await terminal.ready();
  expect(existsSync(join(pi.agentDir, "trust.json"))).toBe(true);
});

it("draws no colours with NO_COLOR, and the sixteen where there are no others", async () => {
  const pi = await start(answer);
  const plain = open(pi, [], { env: { NO_COLOR: "1" } });
  await converse(plain);
  expect(plain.output).not.toMatch(/\[(?:3|4|9|10)\d(?:;[\d;]*)?m/);
  const sixteen = open(pi, [], { env: { TERM: "linux", COLORTERM: undefined } });
  await converse(sixteen);
  expect(sixteen.output).not.toMatch(/\[[34]8;/);
  expect(sixteen.output).toMatch(/\[3[1-6]m/);
});

it("follows a theme file while it is edited", async () => {
  const pi = await start(answer);
  const tokens = (await import("../../src/core/themes/tokens.js")).THEME_TOKENS;
  const theme = (color: string) =>
    JSON.stringify({ name: "mine", colors: Object.fromEntries(tokens.map((token) => [token, color])) });
  mkdirSync(join(pi.agentDir, "themes"));
  const file = join(pi.agentDir, "themes", "mine.json");
  writeFileSync(file, theme("#123456"));
  pi.configure("settings.json", JSON.stringify({ theme: "mine" }));
  const terminal = open(pi);
  await converse(terminal);
  expect(terminal.output).toContain("38;2;18;52;86");
  writeFileSync(file, theme("#654321"));
  await terminal.until("the new colour", () => terminal.output.includes("38;2;101;67;33"));
});

it("PI_STARTUP_BENCHMARK=1 ends once the session is shown, and sends nothing", async () => {
  const pi = await start(answer);
  const terminal = open(pi, ["a prompt"], { env: { PI_STARTUP_BENCHMARK: "1", PI_TIMING: "1" }, columns: 100 });
  expect(await terminal.exited).toMatchObject({ exitCode: 0 });
  expect(terminal.all().join("\n")).toMatch(/Time of the start in ms:[\s\S]* session shown\n +[\d.]+ {2}total/);
  expect(pi.server.requests).toEqual([]);
  expect(leftOn(terminal.output)).toEqual([]);
});

describe("a session whose working directory is gone", () => {
  const gone = (pi: PiFixture) => {
    const header = {
      type: "session",
      version: 3,
      id: "old",
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd: "/nowhere/at/all",
    };
    const message = { role: "user", content: "about plums", timestamp: 1 };
    const entry = { type: "message", id: "a", parentId: null, timestamp: header.timestamp, message };
    return pi.write("old.jsonl", [header, entry].map((line) => `${JSON.stringify(line)}\n`).join(""));
  };

  it.each([
    ["goes on here", [keys.enter], true],
    ["is copied here", [keys.down, keys.enter], false],
  ])("%s", async (_what, typed, isSame) => {
    const pi = await start(answer);
    const file = gone(pi);
    const before = readFileSync(file, "utf8");
    const terminal = open(pi, ["--session", file], { columns: 120 });
    await terminal.shows("The working directory of the session does not exist: /nowhere/at/all");
    for (const key of typed) terminal.type(key);
    await terminal.ready();
    await terminal.shows("about plums");
    terminal.type("hello", keys.enter);
    await terminal.shows("An answer.");
    const after = readFileSync(file, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.length > before.length).toBe(isSame);
    if (!isSame) expect(readFileSync(sessionFile(pi), "utf8")).toContain("about plums");
  });

  it("/resume asks too", async () => {
    const pi = await start(answer);
    const folder = join(pi.agentDir, "sessions", `--${pi.cwd.slice(1).replaceAll("/", "-")}--`);
    mkdirSync(folder, { recursive: true });
    renameSync(gone(pi), join(folder, "1_old.jsonl"));
    const terminal = open(pi, [], { columns: 120 });
    await terminal.ready();
    terminal.type("/resume", keys.enter);
    await terminal.shows("→ about plums");
    terminal.type(keys.enter);
    await terminal.shows("The working directory of the session does not exist: /nowhere/at/all");
    terminal.type(keys.enter);
    await terminal.shows("Resumed session");
    await terminal.shows("about plums");
  });

  it("is left alone", async () => {
    const pi = await start(answer);
    const file = gone(pi);
    const terminal = open(pi, ["--session", file], { columns: 120 });
    await terminal.shows("does not exist: /nowhere/at/all");
    terminal.type(keys.escape);
    expect(await terminal.exited).toMatchObject({ exitCode: 0 });
    expect(terminal.text()).toContain("Aborted.");
  });
});
