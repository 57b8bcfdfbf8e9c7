import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DefaultResourceLoader } from "../resource-loader.js";
import { SettingsManager } from "../settings/settings-manager.js";
import { type ConfigScope, ResourceConfig } from "./resource-config.js";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pi-config-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const extension = "export default () => {};";
const skill = (name: string) => `---\nname: ${name}\ndescription: d\n---\n`;

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

const everything = {
  "agent/settings.json": JSON.stringify({ extensions: ["more.ts"], packages: ["./pkg"], theme: "dark" }),
  "agent/more.ts": extension,
  "agent/extensions/own.ts": extension,
  "agent/skills/find/SKILL.md": skill("find"),
  "agent/prompts/say.md": "x",
  "agent/pkg/extensions/index.ts": extension,
  "agent/pkg/prompts/packed.md": "x",
  "project/.pi/prompts/theirs.md": "x",
};

function open() {
  const [cwd, agentDir] = [join(home, "project"), join(home, "agent")];
  const settingsManager = SettingsManager.create(cwd, agentDir);
  const config = new ResourceConfig({ cwd, agentDir, settingsManager });
  const find = (scope: ConfigScope, name: string) => {
    const item = config.list(scope).find(({ path }) => path.endsWith(name));
    if (!item) throw new Error(`nothing is called ${name}`);
    return item;
  };
  return {
    config,
    toggle: async (scope: ConfigScope, name: string) => {
      config.toggle(scope, find(scope, name));
      await settingsManager.flush();
    },
    list: (scope: ConfigScope) =>
      config
        .list(scope)
        .map(({ enabled, kind, path, packageSource }) =>
          [enabled ? "on" : "off", kind, path.replace(`${home}/`, ""), packageSource ?? ""].join(" ").trim(),
        ),
  };
}

/** What a session would be given. */
async function loaded(): Promise<string[]> {
  const loader = new DefaultResourceLoader({ cwd: join(home, "project"), agentDir: join(home, "agent") });
  await loader.reload();
  return [
    ...loader.getExtensions().extensions.map(({ path }) => path),
    ...loader.getSkills().skills.map(({ filePath }) => filePath),
    ...loader.getPrompts().prompts.map(({ filePath }) => filePath),
  ].map((path) => path.replace(`${home}/`, ""));
}

const settings = (scope: "agent" | "project/.pi") =>
  JSON.parse(readFileSync(join(home, scope, "settings.json"), "utf8"));

describe("what can be switched", () => {
  it("is everything the settings of a scope decide about", () => {
    write(everything);
    const { list } = open();
    expect(list("user")).toEqual([
      "on extensions agent/more.ts",
      "on extensions agent/extensions/own.ts",
      "on skills agent/skills/find/SKILL.md",
      "on prompts agent/prompts/say.md",
      "on extensions agent/pkg/extensions/index.ts ./pkg",
      "on prompts agent/pkg/prompts/packed.md ./pkg",
    ]);
    expect(list("project")).toEqual(["on prompts project/.pi/prompts/theirs.md"]);
  });

  it("is off for sessions once it is switched off, and on again; the settings say no more than needed", async () => {
    write(everything);
    const all = await loaded();
    const { list, toggle } = open();
    for (const name of ["more.ts", "own.ts", "find/SKILL.md", "say.md", "pkg/extensions/index.ts", "packed.md"]) {
      await toggle("user", name);
    }
    await toggle("project", "theirs.md");
    expect(await loaded()).toEqual([]);
    expect([...list("user"), ...list("project")].filter((line) => line.startsWith("on"))).toEqual([]);
    expect(settings("agent")).toEqual({
      extensions: ["more.ts", "-more.ts", "-extensions/own.ts"],
      skills: ["-skills/find"],
      prompts: ["-prompts/say.md"],
      packages: [{ source: "./pkg", extensions: ["-extensions/index.ts"], prompts: ["-prompts/packed.md"] }],
      theme: "dark",
    });
    expect(settings("project/.pi")).toEqual({ prompts: ["-prompts/theirs.md"] });
    for (const name of ["more.ts", "own.ts", "find/SKILL.md", "say.md", "pkg/extensions/index.ts", "packed.md"]) {
      await toggle("user", name);
    }
    await toggle("project", "theirs.md");
    expect(await loaded()).toEqual(all);
    expect(settings("agent")).toMatchObject({ extensions: ["more.ts"], packages: ["./pkg"] });
  });
});
