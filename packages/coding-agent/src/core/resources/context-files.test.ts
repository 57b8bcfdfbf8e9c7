import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadProjectContextFiles } from "./context-files.js";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "context-files-test-")));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

/** Paths below the test directory, in order; warnings behind them. */
function load(cwd: string, agentDir = "agent"): string[] {
  const warnings: string[] = [];
  const files = loadProjectContextFiles({ cwd: join(dir, cwd), agentDir: join(dir, agentDir) }, (text) =>
    warnings.push(text.replaceAll(dir, "")),
  );
  return [...files.map(({ path }) => path.replace(`${dir}/`, "")), ...warnings];
}

describe("loadProjectContextFiles", () => {
  it("the agent directory first, then from the root down", () => {
    put({ "agent/AGENTS.md": "1", "p/AGENTS.md": "2", "p/q/CLAUDE.md": "\ufeff3", "p/q/r/x": "" });
    expect(load("p/q/r")).toEqual(["agent/AGENTS.md", "p/AGENTS.md", "p/q/CLAUDE.md"]);
    const files = loadProjectContextFiles({ cwd: join(dir, "p/q"), agentDir: join(dir, "agent") });
    expect(files.map(({ content }) => content)).toEqual(["1", "2", "3"]);
  });

  it.each([
    [["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"], "AGENTS.override.md"],
    [["AGENTS.MD", "CLAUDE.md"], "AGENTS.MD"],
    [["CLAUDE.md", "CLAUDE.MD"], "CLAUDE.md"],
    [["CLAUDE.MD"], "CLAUDE.MD"],
  ])("of %j the first", (names, first) => {
    put(Object.fromEntries(names.map((name) => [`p/${name}`, name])));
    expect(load("p")).toEqual([`p/${first}`]);
  });

  it("a directory of that name is none; a link to a file is one", () => {
    put({ "p/AGENTS.md/x": "", "p/docs/rules.md": "" });
    symlinkSync(join(dir, "p/docs/rules.md"), join(dir, "p/CLAUDE.md"));
    expect(load("p")).toEqual(["p/CLAUDE.md"]);
  });

  it("each file once, by whatever path", () => {
    put({ "p/AGENTS.md": "", "p/q/x": "" });
    symlinkSync("../AGENTS.md", join(dir, "p/q/AGENTS.md"));
    expect(load("p/q")).toEqual(["p/AGENTS.md"]);
    expect(load("p/q", "p")).toEqual(["p/AGENTS.md"]);
  });

  it("a link that leads out of its repository, or to what is no text of instructions, is not followed", () => {
    put({
      "repo/.git/HEAD": "",
      "repo/docs/rules.md": "fine",
      "repo/CLAUDE.md": "next",
      "repo/sub/CLAUDE.md": "next",
      "repo/deep/x": "",
      "loose/CLAUDE.md": "next",
      "loose/parts/rules.md": "fine",
      "loose/inner/x": "",
      "home/x": "",
      "secret/rules.md": "secret",
      "secret/id_rsa": "secret",
      "agent/x": "",
    });
    symlinkSync("../secret/rules.md", join(dir, "repo/AGENTS.md"));
    symlinkSync("../../secret/id_rsa", join(dir, "repo/sub/AGENTS.md"));
    symlinkSync("../docs/rules.md", join(dir, "repo/deep/AGENTS.md"));
    symlinkSync("../secret/id_rsa", join(dir, "loose/AGENTS.md"));
    symlinkSync("../secret/rules.md", join(dir, "agent/AGENTS.md"));
    const refused = (path: string, target: string) =>
      `Not read: /${path} leads to /${target}, which is no part of the project. Put a copy in its place.`;
    expect(load("repo/sub")).toEqual([
      "agent/AGENTS.md",
      "repo/CLAUDE.md",
      "repo/sub/CLAUDE.md",
      refused("repo/AGENTS.md", "secret/rules.md"),
      refused("repo/sub/AGENTS.md", "secret/id_rsa"),
    ]);
    expect(load("repo/deep", "none")).toEqual([
      "repo/CLAUDE.md",
      "repo/deep/AGENTS.md",
      refused("repo/AGENTS.md", "secret/rules.md"),
    ]);
    expect(load("loose", "none")).toEqual(["loose/CLAUDE.md", refused("loose/AGENTS.md", "secret/id_rsa")]);
    symlinkSync("../../secret/rules.md", join(dir, "loose/inner/AGENTS.md"));
    symlinkSync("../parts/rules.md", join(dir, "loose/parts/AGENTS.md"));
    expect(load("loose/inner", "none")).toContain(refused("loose/inner/AGENTS.md", "secret/rules.md"));
    expect(load("loose/parts", "none")).toContain("loose/parts/AGENTS.md");
    vi.stubEnv("HOME", join(dir, "home"));
    symlinkSync("../secret/rules.md", join(dir, "home/AGENTS.md"));
    expect(load("home", "none")).toEqual(["home/AGENTS.md"]);
    vi.unstubAllEnvs();
  });

  it("a link to itself warns, and the next name is tried", () => {
    put({ "p/CLAUDE.md": "" });
    symlinkSync("AGENTS.md", join(dir, "p/AGENTS.md"));
    const [file, warning] = load("p");
    expect(file).toBe("p/CLAUDE.md");
    expect(warning).toBe("Could not read /p/AGENTS.md: it is a link that leads in circles");
  });

  // The superuser can read everything.
  it.skipIf(process.getuid?.() === 0)("one that cannot be read warns, and the next name is tried", () => {
    put({ "p/AGENTS.md": "", "p/CLAUDE.md": "" });
    chmodSync(join(dir, "p/AGENTS.md"), 0);
    expect(load("p")).toEqual(["p/CLAUDE.md", "Could not read /p/AGENTS.md: this user may not read it"]);
  });
});

describe("git worktrees", () => {
  /** A main checkout `main` and a linked worktree at a path. */
  function worktree(path: string, config = "[core]\n\tbare = false\n"): void {
    put({
      "main/.git/config": config,
      "main/.git/worktrees/w/commondir": "../..\n",
      [`${path}/.git`]: `gitdir: ${join(dir, "main/.git/worktrees/w")}\n`,
      "main/AGENTS.md": "of main",
      [`${path}/AGENTS.md`]: "of worktree",
      [`${path}/sub/x`]: "",
    });
  }

  it("inside their main checkout hide its file of the same name", () => {
    worktree("main/trees/w");
    put({ "AGENTS.md": "above", "main/trees/AGENTS.md": "between" });
    expect(load("main/trees/w/sub")).toEqual(["AGENTS.md", "main/trees/AGENTS.md", "main/trees/w/AGENTS.md"]);
  });

  it("do not hide one of another name, nor when they have none", () => {
    worktree("main/trees/w");
    rmSync(join(dir, "main/trees/w/AGENTS.md"));
    expect(load("main/trees/w")).toEqual(["main/AGENTS.md"]);
    put({ "main/trees/w/CLAUDE.md": "" });
    expect(load("main/trees/w")).toEqual(["main/AGENTS.md", "main/trees/w/CLAUDE.md"]);
  });

  it("beside it, of bare repositories, and submodules change nothing", () => {
    worktree("beside");
    expect(load("beside/sub")).toEqual(["beside/AGENTS.md"]);
    rmSync(join(dir, "main"), { recursive: true });
    worktree("main/trees/w", "[core]\n\tbare = true\n");
    expect(load("main/trees/w")).toEqual(["main/AGENTS.md", "main/trees/w/AGENTS.md"]);
    put({
      "super/.git/modules/m/HEAD": "",
      "super/m/.git": "gitdir: ../.git/modules/m\n",
      "super/AGENTS.md": "",
      "super/m/AGENTS.md": "",
    });
    expect(load("super/m")).toEqual(["super/AGENTS.md", "super/m/AGENTS.md"]);
  });
});
