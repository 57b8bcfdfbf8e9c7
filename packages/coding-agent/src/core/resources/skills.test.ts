import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, constants, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { loadSkillSources, loadSkills, loadSkillsFromDir } from "./skills.js";

let dir: string;
inTemporaryFolder("skills-test-", (path) => {
  dir = path;
});

/** Writes a skill; its path is told apart by its name. */
function skill(path: string, head = "description: d", body = "text") {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\n${head}\n---\n${body}\n`);
  return file;
}

function load(path: string, kind: "pi" | "agents" = "pi") {
  const { skills, diagnostics } = loadSkillSources([
    {
      path: join(dir, path),
      isNamed: false,
      isShared: kind === "agents",
      sourceInfo: { source: "auto", scope: "user", origin: "top-level" },
    },
  ]);
  return {
    names: skills.map(({ name, filePath }) => `${name} ${relative(dir, filePath)}`),
    problems: diagnostics.map(({ path, message }) => `${relative(dir, path ?? "")}: ${message}`),
    skills,
  };
}

describe("finding skills", () => {
  it("takes folders with a SKILL.md, at any depth, and does not go into those", () => {
    skill("s/b/SKILL.md");
    skill("s/b/inner/SKILL.md");
    skill("s/group/a/SKILL.md");
    skill("s/.hidden/SKILL.md");
    skill("s/node_modules/x/SKILL.md");
    expect(load("s").names).toEqual(["b s/b/SKILL.md", "a s/group/a/SKILL.md"]);
    expect(load("s/b").names).toEqual(["b s/b/SKILL.md"]);
    expect(load("missing")).toMatchObject({ names: [], problems: [] });
  });

  it("takes loose files at the top of pi folders, and below the top of agents folders", () => {
    skill("s/top.md", "name: top\ndescription: d");
    skill("s/sub/below.md", "name: below\ndescription: d");
    writeFileSync(join(dir, "s", "README.md"), "no skill");
    writeFileSync(join(dir, "s", "broken.md"), "---\na: b: c\n---\n");
    expect(load("s")).toMatchObject({ names: ["top s/top.md"], problems: [] });
    expect(load("s", "agents")).toMatchObject({ names: ["below s/sub/below.md"], problems: [] });
  });

  it("keeps to ignore files, the nearest first", () => {
    skill("s/a/SKILL.md");
    skill("s/b/c/SKILL.md");
    skill("s/b/d/SKILL.md");
    skill("s/e/SKILL.md");
    writeFileSync(join(dir, "s", ".gitignore"), "a/\nc\nd\n");
    writeFileSync(join(dir, "s", "b", ".ignore"), "!c\n");
    writeFileSync(join(dir, "s", ".fdignore"), "/e\n");
    expect(load("s").names).toEqual(["c s/b/c/SKILL.md"]);
  });

  it("follows links, each folder once, and leaves out what is not there or no file", () => {
    skill("other/x/SKILL.md");
    mkdirSync(join(dir, "s", "dir.md"), { recursive: true });
    symlinkSync(join(dir, "other"), join(dir, "s", "link"));
    symlinkSync(join(dir, "s"), join(dir, "other", "back"));
    symlinkSync(join(dir, "nowhere"), join(dir, "s", "gone.md"));
    symlinkSync(join(dir, "s", "loop"), join(dir, "s", "loop"));
    expect(load("s")).toMatchObject({ names: ["x s/link/x/SKILL.md"], problems: [] });
  });

  it.skipIf(process.platform === "win32")("does not wait at a pipe", () => {
    skill("s/a/SKILL.md");
    const pipes = [join(dir, "s", ".gitignore"), join(dir, "s", "p.md"), join(dir, "s", "b", "SKILL.md")];
    mkdirSync(join(dir, "s", "b"));
    for (const pipe of pipes) execFileSync("mkfifo", [pipe]);
    expect(load("s").names).toEqual(["a s/a/SKILL.md"]);
    for (const pipe of pipes) closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
  });

  it.skipIf(process.getuid?.() === 0)("says what cannot be read", () => {
    chmodSync(skill("s/a/SKILL.md"), 0);
    skill("s/b/c/SKILL.md");
    chmodSync(join(dir, "s", "b"), 0);
    expect(load("s").problems).toEqual([expect.stringContaining("s/a/SKILL.md: "), expect.stringContaining("s/b: ")]);
    chmodSync(join(dir, "s", "b"), 0o755);
  });
});

describe("reading a skill", () => {
  it("knows where it came from", () => {
    const filePath = skill(
      "s/a/SKILL.md",
      "name: my-skill\ndescription: ' What it does '\ndisable-model-invocation: true",
    );
    expect(load("s").skills).toEqual([
      {
        name: "my-skill",
        description: "What it does",
        filePath,
        baseDir: dirname(filePath),
        disableModelInvocation: true,
        sourceInfo: { path: filePath, source: "auto", scope: "user", origin: "top-level", baseDir: join(dir, "s") },
      },
    ]);
  });

  const characters = "name contains invalid characters (must be lowercase a-z, 0-9, hyphens only)";
  it.each([
    [`name: ${"n".repeat(65)}`, ["name exceeds 64 characters (65)"]],
    ["name: My Skill", [characters]],
    ["name: -a", ["name must not start or end with a hyphen"]],
    ["name: a-", ["name must not start or end with a hyphen"]],
    ["name: a--b", ["name must not contain consecutive hyphens"]],
    ["name: 12", []],
    ["name: other-than-the-folder\nlicense: MIT\nallowed-tools: [a]", []],
  ])("%s: loads, and says %j", (head, messages) => {
    skill("s/a/SKILL.md", `${head}\ndescription: d`);
    const { skills, problems } = load("s");
    expect(skills).toHaveLength(1);
    expect(problems).toEqual(messages.map((message) => `s/a/SKILL.md: ${message}`));
  });

  it("loads one with a long description, and says so", () => {
    skill("s/a/SKILL.md", `description: ${"d".repeat(1025)}`);
    expect(load("s")).toMatchObject({
      names: ["a s/a/SKILL.md"],
      problems: ["s/a/SKILL.md: description exceeds 1024 characters (1025)"],
    });
  });

  it.each([
    ["name: a", "description is required"],
    ["description: ''", "description is required"],
    ["description: [a]", "description is required"],
    ["description: a: b", "Nested mappings are not allowed in compact mappings at line 1"],
  ])("%s: is none, and says why", (head, message) => {
    skill("s/a/SKILL.md", head);
    const { names, problems } = load("s");
    expect(names).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(`s/a/SKILL.md: ${message}`)]);
  });
});

describe("loadSkills", () => {
  it("takes named ones before the user's own; the first of a name counts", () => {
    const named = skill("mine/a/SKILL.md");
    const own = skill("agent/skills/a/SKILL.md");
    skill("agent/skills/b/SKILL.md");
    const { skills, diagnostics } = loadSkills({
      cwd: dir,
      agentDir: join(dir, "agent"),
      skillPaths: ["mine", "./mine/a/SKILL.md"],
      includeDefaults: true,
    });
    const ofTest = skills.filter(({ filePath }) => filePath.startsWith(dir));
    expect(ofTest.map(({ name, sourceInfo }) => [name, sourceInfo.source, sourceInfo.scope])).toEqual([
      ["a", "cli", "temporary"],
      ["b", "auto", "user"],
    ]);
    expect(diagnostics.filter(({ path }) => path === own)).toEqual([
      {
        type: "collision",
        message: 'name "a" collision',
        path: own,
        collision: { resourceType: "skill", name: "a", winnerPath: named, loserPath: own },
      },
    ]);
  });

  it("says what is wrong with a named path, and takes any Markdown file", () => {
    const loose = skill("x.md", "name: loose\ndescription: d");
    writeFileSync(join(dir, "x.txt"), "");
    writeFileSync(join(dir, "y.md"), "no head");
    const options = { cwd: dir, agentDir: dir, includeDefaults: false };
    const { skills, diagnostics } = loadSkills({ ...options, skillPaths: ["x.md", "no", "x.txt", "y.md"] });
    expect(skills.map(({ name, filePath }) => [name, filePath])).toEqual([["loose", loose]]);
    expect(diagnostics).toEqual([
      { type: "warning", message: "skill path does not exist", path: join(dir, "no") },
      { type: "warning", message: "skill path is not a markdown file", path: join(dir, "x.txt") },
      { type: "warning", message: "description is required", path: join(dir, "y.md") },
    ]);
  });

  it("is silent about the same file twice, by whatever path", () => {
    skill("s/a/SKILL.md");
    symlinkSync(join(dir, "s"), join(dir, "t"));
    const options = { cwd: dir, agentDir: dir, includeDefaults: false };
    const { skills, diagnostics } = loadSkills({ ...options, skillPaths: ["s", "t"] });
    expect(skills).toHaveLength(1);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ["user", "user"],
    ["project", "project"],
    ["mine", "temporary"],
  ])("loads one folder as of source %s", (source, scope) => {
    skill("s/a/SKILL.md");
    const { skills } = loadSkillsFromDir({ dir: join(dir, "s"), source });
    expect(skills[0]?.sourceInfo).toMatchObject({ source, scope });
  });
});
