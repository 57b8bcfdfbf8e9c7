import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type ScriptedServer, startScriptedServer } from "@pi/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../scripts/lib/setup.mjs";

/** Code blocks marked `test` in the documentation, run as a reader would run them: with pi on the PATH and a model. */
interface Example {
  file: string;
  line: number;
  language: string;
  code: string;
  /** Where it runs: a block marked `next` goes on where the one before has left off. */
  folder: string;
}

const documents = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));

const examples: Example[] = ["README.md", ...documents.map((name) => join("docs", name))].flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  let folder = "";
  return [...text.matchAll(/^```(sh|js) test( next)?\n([\s\S]*?)^```$/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    if (!match[2]) folder = `${basename(file)}-${line}`;
    return { file, line, language: match[1] ?? "", code: match[3] ?? "", folder };
  });
});

/** Who commits, where an example does. */
const committer = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Ann"],
    [`GIT_${who}_EMAIL`, "ann@example.org"],
  ]),
);

let home: string;
let server: ScriptedServer;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pi-docs-")));
  server = await startScriptedServer({
    script: ({ conversation }) => {
      // Calls a tool of the example once, so that its code runs too.
      const custom = conversation.tools.find(({ name }) => name === "weather");
      if (custom && conversation.lastResults.length === 0) {
        return { blocks: [{ type: "toolCall", name: "weather", arguments: { city: "Rome" } }] };
      }
      const asked = conversation.turns.at(-1);
      if (asked?.role === "user" && asked.text.includes("Use recent_work.")) {
        return { blocks: [{ type: "toolCall", name: "recent_work", arguments: {} }] };
      }
      if (asked?.role === "user" && asked.text === "Push it.") {
        return { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "git push" } }] };
      }
      const [result] = conversation.lastResults;
      if (result && !custom) return { blocks: [{ type: "text", text: `scripted answer to: ${result.text}` }] };
      return { blocks: [{ type: "text", text: result?.text ?? "scripted answer" }] };
    },
  });
  mkdirSync(join(home, "bin"));
  const cli = join(root, "packages", "coding-agent", "dist", "cli.js");
  writeFileSync(join(home, "bin", "pi"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(join(home, "bin", "pi"), 0o755);
  const orchestrator = join(root, "packages", "orchestrator", "dist", "cli.js");
  writeFileSync(join(home, "bin", "pi-orchestrator"), `#!/bin/sh\nexec "${process.execPath}" "${orchestrator}" "$@"\n`);
  chmodSync(join(home, "bin", "pi-orchestrator"), 0o755);
  mkdirSync(join(home, "agent"));
  writeFileSync(join(home, "agent", "settings.json"), '{"defaultProvider":"scripted","defaultModel":"m1"}');
  writeFileSync(
    join(home, "agent", "models.json"),
    JSON.stringify({
      providers: {
        scripted: {
          api: "anthropic-messages",
          baseUrl: server.baseUrl("anthropic-messages"),
          apiKey: "k",
          models: [{ id: "m1" }],
        },
      },
    }),
  );
});

afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function run({ language, code, folder }: Example): Promise<{ output: string; exitCode: number | null }> {
  const cwd = join(home, folder);
  if (!existsSync(cwd)) {
    mkdirSync(cwd);
    symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"));
  }
  const script = join(cwd, language === "sh" ? "example.sh" : "example.mjs");
  writeFileSync(script, code);
  const command = language === "sh" ? ["bash", "-euo", "pipefail", script] : [process.execPath, script];
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd,
    env: {
      PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
      HOME: home,
      ...committer,
      PI_CODING_AGENT_DIR: join(home, "agent"),
      // Short: a socket lies in it.
      PI_ORCHESTRATOR_DIR: join(home, `o-${folder}`),
      SCRIPTED_BASE_URL: server.baseUrl("anthropic-messages"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.on("close", (exitCode) => resolve({ output, exitCode })));
}

describe("examples in the documentation", () => {
  it("there are some", () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples)("$file:$line", async (example) => {
    const { output, exitCode } = await run(example);
    expect(output).not.toMatch(/Error|Warning/);
    expect(exitCode, output).toBe(0);
    const asks =
      /(?:^|\s)pi (?!--new-extension|install|list|remove)|pi-orchestrator send/m.test(example.code) &&
      !example.code.includes("--mode rpc");
    if (asks) expect(output).toContain("scripted answer");
    if (example.code.includes("weather")) expect(output).toBe("Sunny in Rome");
    if (example.code.includes("Use recent_work.")) expect(output).toBe("scripted answer to: Ann: Begin\n");
    if (example.code.includes('"Push it."')) expect(output).toContain("Pushing is for people.");
    if (example.code.includes("node --test")) expect(output).toMatch(/^# pass 3\n# fail 0$/m);
  });

  it("links between documents lead somewhere", () => {
    const tracked = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");
    for (const file of tracked.filter((name) => !name.includes("/src/"))) {
      const text = readFileSync(join(root, file), "utf8");
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        const path = join(root, file, "..", String(target));
        expect(readFileSync(path, "utf8").length, `${file} -> ${target}`).toBeGreaterThan(0);
      }
    }
  });
});
