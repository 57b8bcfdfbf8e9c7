import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RecordedRequest, ScriptedTurn } from "@pi/testkit";
import { describe, expect, it } from "vitest";
import { cliPath, PiFixture, usePi } from "./pi.js";

const start = usePi();

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });

/** What the model was last told by the user. */
function lastUserText(requests: readonly RecordedRequest[]): string | undefined {
  const last = requests.at(-1)?.conversation.turns.findLast((turn) => turn.role === "user");
  return last?.role === "user" ? last.text : undefined;
}

const noSessions = (pi: PiFixture) =>
  !existsSync(join(pi.agentDir, "sessions")) ||
  readdirSync(join(pi.agentDir, "sessions"), { recursive: true, encoding: "utf8" }).every(
    (name) => !name.endsWith(".jsonl"),
  );

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether a process that was killed is gone, once the system has cleared it away. */
async function hasEnded(pid: number): Promise<boolean> {
  for (let tries = 0; isAlive(pid) && tries < 150; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
  return !isAlive(pid);
}

describe("the prompt (cli-and-config.md section 1.11)", () => {
  it.each<[string, string[], string | undefined, string]>([
    ["a message", ["-p", "hello"], undefined, "hello"],
    ["piped text and a message", ["-p", "review"], "diff --git a b\n+x\n", "diff --git a b\n+xreview"],
    ["piped text alone", ["-p"], "x\n", "x"],
    ["piped text without -p", ["and this"], "x", "xand this"],
    ["after --", ["-p", "--", "-v"], undefined, "-v"],
  ])("%s", async (_name, args, stdin, expected) => {
    const pi = await start([say("answer")]);
    const run = await pi.pi(args, stdin === undefined ? {} : { stdin });
    expect(run).toEqual({ stdout: "answer\n", stderr: "", code: 0, signal: null });
    expect(lastUserText(pi.server.requests)).toBe(expected);
  });

  it("files: text in a tag, images attached, a missing one named", async () => {
    const pi = await start([say("answer")]);
    const notes = pi.write("notes.md", "\uFEFF# Notes\n");
    const png = pi.write(
      "dot.png",
      Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
        "base64",
      ),
    );
    const run = await pi.pi(["-p", "@notes.md", "@dot.png", "summarise"]);
    expect(run).toMatchObject({ stdout: "answer\n", code: 0 });
    expect(lastUserText(pi.server.requests)).toBe(
      `<file name="${notes}">\n# Notes\n\n</file>\n<file name="${png}"></file>\nsummarise`,
    );
    expect(pi.server.requests[0]?.conversation.turns.at(-1)).toMatchObject({ role: "user", images: 1 });
    const missing = await pi.pi(["-p", "@nope.md", "x"]);
    expect(missing).toMatchObject({
      stdout: "",
      stderr: `Error: File not found: ${join(pi.cwd, "nope.md")}\nDid you mean ${join(pi.cwd, "notes.md")}?\n`,
      code: 1,
    });
  });

  it("two messages are two runs, and only the last answer is printed", async () => {
    const pi = await start([say("first"), say("second")]);
    const run = await pi.pi(["-p", "one", "two"]);
    expect(run).toMatchObject({ stdout: "second\n", stderr: "", code: 0 });
    expect(pi.server.requests).toHaveLength(2);
    expect(pi.server.requests[1]?.conversation.turns).toMatchObject([
      { role: "user", text: "one" },
      { role: "assistant", text: "first" },
      { role: "user", text: "two" },
    ]);
  });

  it("nothing to say: no request, no output, exit 0, no session", async () => {
    const pi = await start([]);
    expect(await pi.pi(["-p"])).toEqual({ stdout: "", stderr: "", code: 0, signal: null });
    expect(pi.server.requests).toHaveLength(0);
    expect(noSessions(pi)).toBe(true);
  });
});

describe("starts that fail (cli-and-config.md section 1.4)", () => {
  it.each<[string, string[], RegExp]>([
    [
      "an unknown model",
      ["--model", "nope", "-p", "x"],
      /^Error: Model "nope" not found\. Use --list-models to see available models\.\n/,
    ],
    ["an unknown provider", ["--provider", "nope", "--model", "m1", "-p", "x"], /^Error: Unknown provider "nope"\. /],
    [
      "a provider without a model",
      ["--provider", "openai", "-p", "x"],
      /^Error: --provider requires --model \(for example: /,
    ],
    ["a key without a model", ["--api-key", "k", "-p", "x"], /^Error: --api-key requires a model to be specified via /],
    ["an unknown option", ["--wat", "-p", "x"], /^Error: Unknown option: --wat\n/],
    ["an unknown short option", ["-z"], /^Error: Unknown option: -z\n/],
    ["no model at all", ["-p", "x"], /^No models available\. /],
    [
      "no key",
      ["--model", "anthropic/claude-opus-5-5", "-p", "x"],
      /^No API key found for anthropic\.\n\nSet .*ANTHROPIC_API_KEY/,
    ],
    [
      "a session that is none",
      ["--session", "nothing-like-it", "-p", "x"],
      /^No session found matching 'nothing-like-it'\n/,
    ],
    ["a conflict", ["--fork", "a", "--continue", "-p", "x"], /^Error: --fork cannot be combined with --continue\n/],
  ])("%s", async (_name, args, stderr) => {
    const pi = await start([]);
    pi.configure("models.json", '{"providers":{}}');
    const run = await pi.run(args);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(stderr);
    expect(run.code).toBe(1);
    expect(noSessions(pi)).toBe(true);
  });

  it("a broken settings file is named and does not stop the start", async () => {
    const pi = await start([say("answer")]);
    pi.configure("settings.json", "{");
    const run = await pi.pi(["-p", "x"]);
    expect(run).toMatchObject({ stdout: "answer\n", code: 0 });
    expect(run.stderr).toMatch(/^Warning: Invalid settings file .*settings\.json: /);
  });

  it("a broken models.json is named", async () => {
    const pi = await start([]);
    pi.configure("models.json", '{"providers":{"p":{"models":[{}]}}}');
    const run = await pi.run(["--model", "p/x", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toMatch(/models\.json[\s\S]*providers\.p\.models\.0\.id[\s\S]*Error: Model "p\/x" not found/);
  });
});

describe("answers that fail", () => {
  it("401: what the provider said, on stderr, exit 1", async () => {
    const pi = await start([say("never")], { keys: ["another-key"] });
    const run = await pi.pi(["-p", "x"]);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/401.*authentication_error/);
    // Who said so, and what helps, follows.
    expect(run.stderr).toMatch(/\n[\w-]+\/[\w-]+ \(status 401\): the provider did not accept the sign-in\..*\n$/);
    expect(run.code).toBe(1);
    expect(run.stderr).not.toContain("test-key");
  });

  it.each<[string, ScriptedTurn["fault"], RegExp]>([
    [
      "a server error",
      { kind: "status", status: 529, body: { type: "error", error: { type: "overloaded_error", message: "busy" } } },
      /^529 .*overloaded_error/,
    ],
    ["a reset", { kind: "reset", afterEvents: 4 }, /\S/],
    ["a stream that just ends", { kind: "end", afterEvents: 4 }, /^Anthropic stream ended before message_stop\n/],
    ["a stall", { kind: "stall", afterEvents: 4 }, /time[d ]*out|timeout/i],
    ["an error event", { kind: "errorEvent", afterEvents: 4, message: "went wrong" }, /went wrong/],
  ])("%s ends with its cause, and the partial answer is in the session", async (_name, fault, stderr) => {
    const pi = await start([
      { ...say("partial answer that goes on for a while"), deltaSize: 8, ...(fault && { fault }) },
    ]);
    pi.configure(
      "settings.json",
      JSON.stringify({ httpIdleTimeoutMs: fault?.kind === "stall" ? 3000 : 60_000, retry: { enabled: false } }),
    );
    const run = await pi.pi(["-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toMatch(stderr);
    const last = pi.sessionEntries().at(-1);
    const [errorMessage, advice] = run.stderr.trimEnd().split("\n");
    expect(last.message).toMatchObject({ role: "assistant", stopReason: "error", errorMessage });
    expect(advice).toMatch(/a temporary failure/);
    if (fault?.kind !== "status") expect(last.message.content[0].text).toMatch(/^partial/);
  });

  it("a cut answer is printed, said, and exits 1", async () => {
    const pi = await start([{ ...say("cut"), stopReason: "length" }]);
    expect(await pi.pi(["-p", "x"])).toMatchObject({
      stdout: "cut\n",
      stderr: "Response was truncated: the model reached its output token limit.\n",
      code: 1,
    });
  });
});

it("a session that cannot be written is no failure of the model", async () => {
  const pi = await start([say("unheard")]);
  const run = await pi.pi(["--session-dir", pi.write("a-file", ""), "-p", "x"]);
  expect(run).toMatchObject({ stdout: "", code: 1 });
  expect(run.stderr).toMatch(/^Session file cannot be locked for writing: .*\n/m);
  expect(run.stderr).toContain("--session-dir");
  expect(run.stderr).not.toContain("model");
});

describe("tools", () => {
  it.each(["anthropic-messages", "openai-completions", "openai-responses"] as const)(
    "a call arrives whole over %s, whatever the chunks",
    async (api) => {
      for (const chunking of ["event", "whole", { bytes: 1 }, { bytes: 7 }, { seed: 3 }] as const) {
        const text = 'täst "quoted" \\ \u{1F600} \u2028 end';
        const pi = await PiFixture.start(
          [
            {
              blocks: [
                { type: "text", text: "ü" },
                { type: "toolCall", name: "write", arguments: { path: "out.txt", content: text } },
              ],
              chunking,
            },
            { ...say("done"), chunking },
          ],
          { api },
        );
        try {
          expect(await pi.pi(["-p", "write it"])).toEqual({ stdout: "done\n", stderr: "", code: 0, signal: null });
          const entries = pi.sessionEntries();
          const call = entries.find((entry) => entry.message?.stopReason === "toolUse");
          expect(call.message.content.at(-1).arguments).toEqual({ path: "out.txt", content: text });
          const result = pi.server.requests[1]?.conversation.lastResults[0];
          expect(result).toMatchObject({ isError: false, text: "Successfully wrote to out.txt" });
        } finally {
          await pi.close();
        }
      }
    },
  );

  it("names of tools that there are none of are said, the others hold", async () => {
    const pi = await start([say("ok")]);
    const { code, stderr } = await pi.pi(["--tools", "read,raed", "--exclude-tools", "foo*,ba*", "-p", "x"]);
    expect(code).toBe(0);
    const known = "Tools: read, bash, edit, write, grep, find, ls.";
    expect(stderr).toBe(
      `Warning: No tool is named "raed".\nDid you mean read?\nWarning: No tool is named "foo*".\n${known}\n`,
    );
  });

  it("--tools decides what the model may call, and the prompt follows", async () => {
    const pi = await start([say("ok")]);
    await pi.pi(["--tools", "read,ls", "-p", "x"]);
    const conversation = pi.server.requests[0]?.conversation;
    expect(conversation?.tools.map(({ name }) => name)).toEqual(["read", "ls"]);
    expect(conversation?.system).toContain("- ls: ");
    expect(conversation?.system).not.toContain("- bash: ");
  });

  it("commands learn which session runs them, and nothing of it is inherited", async () => {
    const pi = await start([
      {
        blocks: [
          {
            type: "toolCall",
            name: "bash",
            arguments: { command: "echo $PI_PROVIDER $PI_MODEL $PI_SESSION_ID $PI_CODING_AGENT" },
          },
        ],
      },
      say("ok"),
    ]);
    await pi.pi(["-p", "x"], { env: { PI_MODEL: "inherited", PI_SESSION_ID: "inherited" } });
    const [header] = pi.sessionEntries();
    expect(pi.server.requests[1]?.conversation.lastResults[0]?.text).toBe(`scripted m1 ${header.id} true\n`);
  });
});

describe("the session", () => {
  it("is written as sessions.md section 2 says, without secrets", async () => {
    const pi = await start([say("answer")]);
    pi.write("AGENTS.md", "Be brief.");
    await pi.pi(["--name", "Demo", "--system-prompt", "You are a test.", "-p", "hello"]);
    const entries = pi.sessionEntries();
    expect(entries.map(({ type, message }) => (message ? `${type}:${message.role}` : type))).toEqual([
      "session",
      "session_info",
      "model_change",
      "thinking_level_change",
      "message:system",
      "message:user",
      "message:assistant",
    ]);
    expect(entries[0]).toMatchObject({ version: 3, cwd: pi.cwd });
    expect(entries[4].message).toMatchObject({ content: "", toolsAdded: expect.any(Array) });
    expect(entries[4].message.sections.preamble).toBe("You are a test.");
    expect(entries[4].message.sections.project_context).toContain(
      `<project_instructions path="${join(pi.cwd, "AGENTS.md")}">`,
    );
    expect(entries[6].message).toMatchObject({
      stopReason: "stop",
      api: "anthropic-messages",
      provider: "scripted",
      model: "m1",
      thinkingLevel: "off",
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(entries)).not.toContain("test-key");
  });

  it("--continue goes on with the last one, --no-session leaves none", async () => {
    const pi = await start([say("one"), say("two"), say("three")]);
    await pi.pi(["--no-session", "-p", "nowhere"]);
    expect(noSessions(pi)).toBe(true);
    await pi.pi(["-p", "first"]);
    await pi.pi(["--continue", "-p", "second"]);
    expect(pi.server.requests[2]?.conversation.turns.map((turn) => turn.role)).toEqual(["user", "assistant", "user"]);
    const entries = pi.sessionEntries();
    // Nothing changed in between, so prompt and tools are not declared again.
    expect(entries.filter(({ message }) => message?.role === "system")).toHaveLength(1);
    const [, ...rest] = entries;
    expect(rest.every((entry, index) => entry.parentId === (index === 0 ? null : rest[index - 1].id))).toBe(true);
  });
});

describe("the edges of the process", () => {
  it.skipIf(process.platform !== "linux")("a full or closed output: said, exit 1, and commands are ended", async () => {
    const pi = await start(({ conversation }) =>
      conversation.lastResults.length > 0
        ? say("done")
        : {
            blocks: [
              {
                type: "toolCall",
                name: "bash",
                arguments: { command: "echo $$ > pid; while :; do echo tick; sleep 0.1; done" },
              },
            ],
          },
    );
    const run = (redirection: string) =>
      new Promise<string>((resolve) => {
        const script = `"$0" "$1" --model scripted/m1 --mode json x ${redirection}; echo "codes \${PIPESTATUS[*]}"`;
        const shell = spawn("bash", ["-c", script, process.execPath, cliPath], {
          cwd: pi.cwd,
          env: { PATH: process.env["PATH"], HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir },
          stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        for (const stream of [shell.stdout, shell.stderr]) {
          stream.on("data", (chunk) => {
            output += chunk;
          });
        }
        shell.on("close", () => resolve(output));
      });
    expect(await run("> /dev/full")).toMatch(/Error: Could not write to stdout: .*ENOSPC[\s\S]*codes 1/);
    // The reader leaves once the command runs, and the next event finds that out.
    expect(await run("| while read -r line; do case $line in *tool_execution_update*) break;; esac; done")).toMatch(
      /codes 1 0/,
    );
    const { readFileSync } = await import("node:fs");
    const pid = Number(readFileSync(join(pi.cwd, "pid"), "utf8"));
    expect(await hasEnded(pid)).toBe(true);
  });

  it("a device is no file to send", async () => {
    const pi = await start([]);
    const run = await pi.pi(["-p", "@/dev/zero", "x"]);
    expect(run).toMatchObject({
      code: 1,
      stderr: "Error: Could not read file /dev/zero: it is a device or a socket\n",
    });
  });

  it("images that are too big are made to fit, and the model is told how", async () => {
    const { PhotonImage } = await import("@silvia-odwyer/photon-node");
    const image = new PhotonImage(new Uint8Array(3000 * 30 * 4).fill(200), 3000, 30);
    const pi = await start([say("ok")]);
    pi.write("wide.png", Buffer.from(image.get_bytes()));
    await pi.pi(["-p", "@wide.png", "look"]);
    const user = pi.sessionEntries().find(({ message }) => message?.role === "user").message;
    const data = Buffer.from(user.content[1].data, "base64");
    expect(data.readUInt32BE(16)).toBe(2000);
    expect(user.content[0].text).toMatch(/look\n\n\[Image: original 3000x30, displayed at 2000x20\. Multiply /);
  });

  it("many parallel calls print no notes of Node", async () => {
    const calls = Array.from({ length: 30 }, () => ({
      type: "toolCall" as const,
      name: "bash",
      arguments: { command: "true" },
    }));
    const pi = await start([{ blocks: calls }, say("done")]);
    expect(await pi.pi(["-p", "x"])).toEqual({ stdout: "done\n", stderr: "", code: 0, signal: null });
  });
});

describe("signals", () => {
  const sleeping: ScriptedTurn = {
    blocks: [{ type: "toolCall", name: "bash", arguments: { command: "echo $$ > pid; exec sleep 300" } }],
  };

  async function pidOfCommand(pi: PiFixture): Promise<number> {
    const path = join(pi.cwd, "pid");
    for (let tries = 0; tries < 500; tries++) {
      if (existsSync(path)) {
        const { readFileSync } = await import("node:fs");
        const pid = Number(readFileSync(path, "utf8"));
        if (pid) return pid;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("the command did not start");
  }

  it.each<[NodeJS.Signals, { code: number | null; signal: NodeJS.Signals | null }]>([
    ["SIGINT", { code: null, signal: "SIGINT" }],
    ["SIGTERM", { code: 143, signal: null }],
    ["SIGHUP", { code: 129, signal: null }],
  ])("%s in the middle of a command ends the command too", async (signal, expected) => {
    const pi = await start([sleeping]);
    let command = 0;
    const run = await pi.pi(["-p", "x"], {
      onStart: (child) => {
        void pidOfCommand(pi).then((pid) => {
          command = pid;
          child.kill(signal);
        });
      },
    });
    expect(run).toMatchObject({ ...expected, stdout: "" });
    expect(await hasEnded(command)).toBe(true);
  });

  it("Ctrl+C while the model answers: the shell sees 130", async () => {
    const pi = await start([{ ...say("never comes to an end"), fault: { kind: "stall", afterEvents: 4 } }]);
    const shell = spawn(
      "bash",
      ["-c", `"$0" "$1" --model scripted/m1 -p x; echo "code $?"`, process.execPath, cliPath],
      {
        cwd: pi.cwd,
        env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PI_CODING_AGENT_DIR: pi.agentDir },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    let stdout = "";
    shell.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    await pi.server.waitForRequest(0);
    const { execFileSync } = await import("node:child_process");
    const child = execFileSync("pgrep", ["-P", String(shell.pid)], { encoding: "utf8" }).trim();
    process.kill(Number(child), "SIGINT");
    await new Promise((resolve) => shell.on("close", resolve));
    expect(stdout).toBe("code 130\n");
  });
});

describe("the front door", () => {
  it("--version prints the contract's version alone when piped", async () => {
    const pi = await start([]);
    expect(await pi.run(["--version"])).toEqual({ stdout: "1.6.0\n", stderr: "", code: 0, signal: null });
    expect(await pi.run(["-v"])).toMatchObject({ stdout: "1.6.0\n" });
  });

  it("--help lists every option and names the release", async () => {
    const pi = await start([]);
    const run = await pi.run(["--help"]);
    expect(run).toMatchObject({ stderr: "", code: 0 });
    expect(run.stdout).toMatch(/^pi 1\.6\.0 \(release \d+\.\d+\.\d+\)/);
    for (const word of ["--model", "-p, --print", "--no-session", "read, bash, edit, write"])
      expect(run.stdout).toContain(word);
  });
});
