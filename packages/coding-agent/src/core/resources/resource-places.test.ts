import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DefaultResourceLoader } from "../resource-loader.js";
import { SettingsManager } from "../settings/settings-manager.js";

let dir: string;
let cwd: string;
let agentDir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "pi-places-")));
  cwd = join(dir, "repo", "app");
  agentDir = join(dir, "agent");
  mkdirSync(join(dir, "repo", ".git"), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(name: string, text = "---\ndescription: d\n---\ntext"): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

/** What is found, in the order of precedence. */
async function found(
  projectTrusted: boolean,
  options: Partial<ConstructorParameters<typeof DefaultResourceLoader>[0]> = {},
) {
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted });
  const loader = new DefaultResourceLoader({ cwd, agentDir, settingsManager, ...options });
  await loader.reload();
  const shown = ({ filePath, sourceInfo }: { filePath: string; sourceInfo: { source: string; scope: string } }) =>
    `${relative(dir, filePath)} ${sourceInfo.scope}/${sourceInfo.source}`;
  return {
    skills: loader.getSkills().skills.map(shown),
    prompts: loader.getPrompts().prompts.map(shown),
    system: loader.getSystemPrompt(),
    append: loader.getAppendSystemPrompt(),
  };
}

describe("resources of a project", () => {
  beforeEach(() => {
    write("repo/app/.pi/skills/a/SKILL.md");
    write("repo/app/.agents/skills/b/SKILL.md");
    write("repo/.agents/skills/c/SKILL.md");
    write(".agents/skills/above/SKILL.md");
    write("repo/app/.pi/prompts/p.md");
    write("repo/app/.pi/SYSTEM.md", "project system");
    write("repo/app/.pi/APPEND_SYSTEM.md", "project append");
    write("agent/skills/u/SKILL.md");
    write("agent/prompts/q.md");
    write("agent/SYSTEM.md", "user system");
  });

  it("come before the user's, up to the root of the repository", async () => {
    expect(await found(true)).toEqual({
      skills: [
        "repo/app/.pi/skills/a/SKILL.md project/auto",
        "repo/app/.agents/skills/b/SKILL.md project/auto",
        "repo/.agents/skills/c/SKILL.md project/auto",
        "agent/skills/u/SKILL.md user/auto",
      ],
      prompts: ["repo/app/.pi/prompts/p.md project/auto", "agent/prompts/q.md user/auto"],
      system: "project system",
      append: ["project append"],
    });
  });

  it("are not read without trust", async () => {
    expect(await found(false)).toEqual({
      skills: ["agent/skills/u/SKILL.md user/auto"],
      prompts: ["agent/prompts/q.md user/auto"],
      system: "user system",
      append: [],
    });
  });

  it("named ones come first, and are all that is left when the others are not wanted", async () => {
    write("named/n/SKILL.md");
    write("named/n.md");
    const options = { additionalSkillPaths: ["../../named/n"], additionalPromptTemplatePaths: ["../../named/n.md"] };
    const { skills, prompts } = await found(true, { ...options, noSkills: true, noPromptTemplates: true });
    expect([skills, prompts]).toEqual([["named/n/SKILL.md temporary/cli"], ["named/n.md temporary/cli"]]);
    expect((await found(true, options)).skills[0]).toBe("named/n/SKILL.md temporary/cli");
  });

  it("entries of the settings add and leave out, each in its scope", async () => {
    write("agent/more/x.md");
    write("agent/settings.json", JSON.stringify({ prompts: ["more/x.md", "-prompts/q.md"], skills: ["!u"] }));
    write("repo/app/.pi/settings.json", JSON.stringify({ skills: ["-skills/a"] }));
    const { skills, prompts } = await found(true);
    expect(skills).toEqual([
      "repo/app/.agents/skills/b/SKILL.md project/auto",
      "repo/.agents/skills/c/SKILL.md project/auto",
    ]);
    expect(prompts).toEqual(["repo/app/.pi/prompts/p.md project/auto", "agent/more/x.md user/local"]);
  });

  it("packages come last; those of the project need trust as well", async () => {
    write("pack/skills/k/SKILL.md");
    write("pack/prompts/k.md");
    write("mine/prompts/m.md");
    write("agent/settings.json", JSON.stringify({ packages: ["../pack"] }));
    write("repo/app/.pi/settings.json", JSON.stringify({ packages: ["../../../mine"] }));
    expect((await found(true)).prompts.slice(2)).toEqual([
      "mine/prompts/m.md project/../../../mine",
      "pack/prompts/k.md user/../pack",
    ]);
    expect((await found(false)).prompts).toEqual(["agent/prompts/q.md user/auto", "pack/prompts/k.md user/../pack"]);
    expect((await found(false)).skills.at(-1)).toBe("pack/skills/k/SKILL.md user/../pack");
  });
});
