import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProjectTrustDecisions, type ResolveProjectTrustOptions, resolveProjectTrusted } from "../project-trust.js";
import { hasTrustRequiringProjectResources, ProjectTrustStore, projectTrustChoices } from "../trust-manager.js";

let dir: string;
let cwd: string;
let store: ProjectTrustStore;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "pi-trust-")));
  cwd = join(dir, "parent", "project");
  mkdirSync(cwd, { recursive: true });
  store = new ProjectTrustStore(join(dir, "agent"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function bring(name: string): void {
  mkdirSync(join(dir, "parent", "project", dirname(name)), { recursive: true });
  writeFileSync(join(cwd, name), "");
}

const resolveWith = (options: Partial<ResolveProjectTrustOptions> = {}) =>
  resolveProjectTrusted({ cwd, store, defaultProjectTrust: "ask", ...options });

describe("what needs trust", () => {
  it.each([
    ".pi/settings.json",
    ".pi/mcp.json",
    ".pi/extensions/x.ts",
    ".pi/skills/s/SKILL.md",
    ".pi/prompts/p.md",
    ".pi/themes/t.json",
    ".pi/SYSTEM.md",
    ".pi/APPEND_SYSTEM.md",
    ".agents/skills/s/SKILL.md",
    "../.agents/skills/s/SKILL.md",
  ])("%s", (name) => {
    expect(hasTrustRequiringProjectResources(cwd)).toBe(false);
    bring(name);
    expect(hasTrustRequiringProjectResources(cwd)).toBe(true);
  });

  it.each([".pi/other.json", "AGENTS.md", ".agents/other", "../.pi/settings.json"])("not %s", (name) => {
    bring(name);
    expect(hasTrustRequiringProjectResources(cwd)).toBe(false);
  });

  it("a link that leads nowhere does, and a folder that does not exist does not", () => {
    mkdirSync(join(cwd, ".pi"));
    symlinkSync("/nowhere", join(cwd, ".pi", "settings.json"));
    expect(hasTrustRequiringProjectResources(cwd)).toBe(true);
    expect(hasTrustRequiringProjectResources(join(dir, "none"))).toBe(false);
    expect(hasTrustRequiringProjectResources(homedir())).toBeTypeOf("boolean");
  });
});

describe("the order of decisions", () => {
  it("nobody is asked about an ordinary project, but a decision holds", async () => {
    const select = () => Promise.reject(new Error("asked"));
    expect(await resolveWith({ select })).toBe(true);
    await store.set(join(dir, "parent"), false);
    expect(await resolveWith({ select })).toBe(false);
  });

  it("override, handlers, stored, default, question", async () => {
    bring(".pi/settings.json");
    expect(await resolveWith()).toBe(false);
    expect(await resolveWith({ defaultProjectTrust: "always" })).toBe(true);
    await store.set(join(dir, "parent"), false);
    expect(await resolveWith({ defaultProjectTrust: "always" })).toBe(false);
    expect(await resolveWith({ askHandlers: async () => ({ trusted: "undecided" }) })).toBe(false);
    expect(await resolveWith({ askHandlers: async () => ({ trusted: "yes" }) })).toBe(true);
    expect(store.get(cwd)).toBe(false);
    expect(await resolveWith({ askHandlers: async () => ({ trusted: "yes", remember: true }) })).toBe(true);
    expect(store.getEntry(cwd)).toEqual({ path: cwd, decision: true });
    expect(await resolveWith({ override: false })).toBe(false);
  });

  it.each<[string, boolean, object]>([
    ["Trust", true, { P: true }],
    ["Trust parent folder (PARENT)", true, { PARENT: true }],
    ["Trust (this session only)", true, {}],
    ["Do not trust", false, { P: false }],
    ["Do not trust (this session only)", false, {}],
  ])("answer %s", async (answer, expected, stored) => {
    bring(".pi/settings.json");
    const parent = dirname(cwd);
    const asked: { title: string; labels: string[] }[] = [];
    const select = async (title: string, labels: string[]) => {
      asked.push({ title, labels });
      return answer.replace("PARENT", parent);
    };
    expect(await resolveWith({ select })).toBe(expected);
    expect(asked[0]?.title.split("\n").slice(0, 2)).toEqual(["Trust project folder?", cwd]);
    expect(asked[0]?.labels).toHaveLength(5);
    const wanted = Object.entries(stored).map(([key, value]) => [key === "P" ? cwd : parent, value]);
    for (const [path, decision] of wanted) expect(store.getEntry(path)).toEqual({ path, decision });
    if (wanted.length === 0) expect(store.get(cwd)).toBe(null);
  });

  it("a dismissed question is no trust and is not stored", async () => {
    bring(".pi/settings.json");
    expect(await resolveWith({ select: async () => undefined })).toBe(false);
    expect(store.get(cwd)).toBe(null);
  });

  it("each folder is decided about once in a process, a failure not at all", async () => {
    const decisions = new ProjectTrustDecisions();
    await expect(decisions.for(cwd, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await decisions.for(cwd, async () => true)).toBe(true);
    expect(await decisions.for(cwd, async () => false)).toBe(true);
  });

  it("there is no parent to trust above the root", () => {
    expect(projectTrustChoices("/", { withSession: false }).map(({ label }) => label)).toEqual([
      "Trust",
      "Do not trust",
    ]);
  });
});

describe("the store", () => {
  const file = () => join(dir, "agent", "trust.json");
  const write = (text: string) => {
    mkdirSync(join(dir, "agent"), { recursive: true });
    writeFileSync(file(), text);
  };

  it("is an object with sorted keys; null takes a decision back; a decision holds at once", async () => {
    write('{"/z": true, "/none": null}');
    const stored = store.setMany([
      { path: cwd, decision: true },
      { path: dirname(cwd), decision: false },
    ]);
    expect(store.get(cwd)).toBe(true);
    await stored;
    const both = { "/none": null, [dirname(cwd)]: false, [cwd]: true, "/z": true };
    expect(readFileSync(file(), "utf8")).toBe(`${JSON.stringify(both, null, 2)}\n`);
    await store.set(cwd, null);
    expect(store.getEntry(join(cwd, "deep"))).toEqual({ path: dirname(cwd), decision: false });
  });

  it.each([
    ["{", /^Failed to read trust store .*trust\.json: /],
    ["[]", /^Invalid trust store .*trust\.json: expected an object$/],
    ['{"/a": "yes"}', /^Invalid trust store .*: value for "\/a" must be true, false, or null$/],
  ])("with %s stops everything and stays as it is", async (text, message) => {
    write(text);
    expect(() => store.get(cwd)).toThrow(message);
    await expect(store.set(cwd, true)).rejects.toThrow(message);
    expect(readFileSync(file(), "utf8")).toBe(text);
  });
});
