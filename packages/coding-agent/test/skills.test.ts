import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PiFixture } from "./pi.js";

let pi: PiFixture;
beforeEach(async () => {
  pi = await PiFixture.start(() => ({ blocks: [{ type: "text", text: "answer" }] }));
});
afterEach(() => pi.close());

function writeSkill(folder: string, description: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "SKILL.md");
  writeFileSync(path, `---\ndescription: ${description}\n---\nDo it.\n`);
  return path;
}

/** Names in the section on skills, as the model got it. */
function shownSkills(): string[] {
  const system = pi.server.requests.at(-1)?.conversation.system ?? "";
  const section = /<skills>\n([\s\S]*)\n<\/skills>/.exec(system)?.[1] ?? "";
  return [...section.matchAll(/<name>(.*)<\/name>/g)].flatMap((match) => match[1] ?? []);
}

describe("skills (extensions.md section 9)", () => {
  it("of the user and of the command line are in the prompt; those of a project need trust", async () => {
    writeSkill(join(pi.agentDir, "skills", "own"), "For tests");
    writeSkill(join(pi.home, ".agents", "skills", "shared"), "For all agents");
    writeSkill(join(pi.cwd, "given"), "Given");
    writeSkill(join(pi.cwd, ".pi", "skills", "project"), "Not yet");
    expect(await pi.pi(["-p", "--skill", "given", "hi"])).toMatchObject({ code: 0, stderr: "" });
    expect(shownSkills()).toEqual(["given", "own", "shared"]);
    await pi.pi(["-p", "--no-skills", "--skill", "given", "hi"]);
    expect(shownSkills()).toEqual(["given"]);
    await pi.pi(["-p", "-ns", "hi"]);
    expect(shownSkills()).toEqual([]);
    await pi.pi(["-p", "--tools", "edit,ls", "hi"]);
    expect(shownSkills()).toEqual([]);
  });

  it("with a fault are named, and the answer comes all the same", async () => {
    const path = writeSkill(join(pi.agentDir, "skills", "bad"), "a: b");
    const run = await pi.pi(["-p", "--skill", "nowhere", "hi"]);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`Warning: ${join(pi.cwd, "nowhere")}: skill path does not exist\n`);
    expect(run.stderr).toContain(`Warning: ${path}: Nested mappings are not allowed`);
  });
});
