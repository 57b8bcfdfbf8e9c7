import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { beforeEach, describe, expect, it } from "vitest";
import { bashCompletion } from "../../src/cli/completion/bash.js";
import { cleanEnvironment, cliPath, type PiFixture, usePi } from "../pi.js";

const start = usePi();
const isInstalled = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** What is typed before Tab, and the words that the program gets. */
const cases: [string, string][] = [
  ["--offl", "--offline"],
  ["--mode j", "--mode json"],
  ["-nb", "-nbt"],
  ["--thinking xh", "--thinking xhigh"],
  ["insta", "install"],
  ["auth logo", "auth logout"],
  ["auth check --js", "auth check --json"],
  ["auth check --provider scri", "auth check --provider scripted"],
  ["remove --loc", "remove --local"],
  ["-p @REA", "-p @README.md"],
  ["--export REA", "--export README.md"],
  ["--session-dir fol", "--session-dir folder"],
  ["--model scripted/m", "--model scripted/m1"],
  ["REA", "README.md"],
  ["install REA", "install README.md"],
  ["-e REA", "-e README.md"],
  ["--session REA", "--session README.md"],
  // What is not there is not made up, and no option is one behind --.
  ["install zz", "install zz"],
  ["list REA", "list REA"],
  ["auth login anthr", "auth login anthropic"],
  ["auth logout scri", "auth logout scripted"],
  ["auth print-api-key --provider anthr", "auth print-api-key --provider anthropic"],
  ["-- --offl", "-- --offl"],
  ["-- REA", "-- README.md"],
];

let pi: PiFixture;
beforeEach(async () => {
  pi = await start([]);
  writeFileSync(join(pi.cwd, "README.md"), "");
  mkdirSync(join(pi.cwd, "folder"));
  const bin = join(pi.home, "bin");
  mkdirSync(bin);
  // Says what it was called with; lists of models are real.
  const script = `#!/bin/sh
if [ "$1" = --list-models ] || [ "$1" = --completion ]; then exec "${process.execPath}" "${cliPath}" "$@"; fi
echo "GOT<$*>"
`;
  writeFileSync(join(bin, "pi"), script);
  chmodSync(join(bin, "pi"), 0o755);
});

const environment = (): Record<string, string> => {
  const env = { ...cleanEnvironment(), HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir, TERM: "dumb", PS1: "$ " };
  const path = `${join(pi.home, "bin")}:${process.env["PATH"]}`;
  return Object.fromEntries(
    Object.entries({ ...env, PATH: path }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};

/** Types each line and Tab into an interactive shell, and returns what the program was called with. */
async function typed(shell: string, args: string[], load: string, lines: string[]): Promise<string[]> {
  const child = spawn(shell, args, { cwd: pi.cwd, env: environment(), cols: 200, rows: 50 });
  let output = "";
  child.onData((data) => {
    output += data;
  });
  const until = async (holds: () => boolean) => {
    const end = Date.now() + 20_000;
    while (!holds()) {
      if (Date.now() > end) throw new Error(`Never seen; output: ${JSON.stringify(output)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  try {
    child.write(`${load}; echo LOA''DED\r`);
    await until(() => output.includes("LOADED\r\n"));
    const results: string[] = [];
    for (const line of lines) {
      output = "";
      child.write(`pi ${line}\t`);
      // The shell reads what follows only when it has completed.
      child.write("\r");
      await until(() => /GOT<([^>]*)>/.test(output));
      results.push((/GOT<([^>]*)>/.exec(output)?.[1] ?? "").trim().replace(/\/$/, ""));
    }
    return results;
  } finally {
    child.kill("SIGKILL");
  }
}

describe("completion in the shells themselves", { timeout: 90_000 }, () => {
  const lines = cases.map(([line]) => line);
  const expected = cases.map(([, words]) => words);

  it.skipIf(!isInstalled("bash"))("bash", async () => {
    const load = 'eval "$(pi --completion bash)"';
    expect(await typed("bash", ["--norc", "--noprofile", "-i"], load, lines)).toEqual(expected);
  });

  it.skipIf(!isInstalled("bash"))("bash: a name is a word, whatever is in it", () => {
    const mark = join(pi.home, "expanded");
    const names = [`y\`touch\${IFS}${mark}\``, `y$(touch\${IFS}${mark})`, "y'quoted", "y*"];
    const code = [
      bashCompletion(),
      `_pi_models() { cat '${pi.write("names.txt", `${names.join("\n")}\n`)}'; }`,
      "COMP_WORDS=(pi --model y) COMP_CWORD=2; _pi",
      // As the line is read when it is run.
      `eval "printf '%s\\n' \${COMPREPLY[*]}"`,
    ].join("\n");
    const lines = execFileSync("bash", ["--norc", "-c", code], { encoding: "utf8" }).trimEnd().split("\n");
    expect(lines).toEqual(names);
    expect(existsSync(mark)).toBe(false);
  });

  it.skipIf(!isInstalled("bash"))("bash: nothing is offered where nothing is known", () => {
    const places = [
      ["install", ""],
      ["remove", ""],
      ["update", ""],
      ["list", ""],
      ["-p", ""],
      ["--model", "zz"],
      ["--", "-"],
    ];
    const code = [
      bashCompletion(),
      "pi() { :; }",
      ...places.map((words) => {
        const array = words.map((word) => `'${word}'`).join(" ");
        return `COMP_WORDS=(pi ${array}) COMP_CWORD=${words.length}; _pi; echo "\${#COMPREPLY[@]}"`;
      }),
    ].join("\n");
    const output = execFileSync("bash", ["--norc", "-c", code], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(output.trim().split("\n")).toEqual(places.map(() => "0"));
  });

  it.skipIf(!isInstalled("zsh"))("zsh", async () => {
    const load = 'autoload -Uz compinit; compinit -u -D; eval "$(pi --completion zsh)"';
    expect(await typed("zsh", ["-f", "-i"], load, lines)).toEqual(expected);
  });

  it.skipIf(!isInstalled("fish"))("fish", () => {
    const run = (code: string) =>
      execFileSync("fish", ["--no-config", "-c", `pi --completion fish | source; ${code}`], {
        cwd: pi.cwd,
        env: environment(),
        encoding: "utf8",
      }).trimEnd();
    // Where -n takes a value, fish reads -nb as that.
    const known = cases.filter(([line]) => line !== "-nb");
    const completed = known.map(([line]) => {
      const last = run(`complete -C 'pi ${line}'`).split("\t")[0] ?? "";
      return last === "" ? line : line.replace(/\S*$/, last).replace(/\/$/, "");
    });
    expect(completed).toEqual(known.map(([, words]) => words));
  });
});

describe("scripts of completion", () => {
  it.each(["bash", "zsh", "fish"] as const)("%s: complete, without what is not there yet", async (shell) => {
    const { stdout, stderr, code } = await pi.run(["--completion", shell]);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    for (const word of ["session-dir", "nbt", "print-bearer-token", "uninstall", "xhigh"])
      expect(stdout).toContain(word);
    expect(stdout).not.toContain("mcp login");
    if (!isInstalled(shell)) return;
    const check = spawnSync(shell, ["-n", pi.write("script", stdout)], { encoding: "utf8" });
    expect(check).toMatchObject({ status: 0, stderr: "" });
  });
});
