import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DefaultResourceLoader } from "../resource-loader.js";
import { SettingsManager } from "../settings/settings-manager.js";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pi-sources-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const empty = "export default () => {};";

async function load(files: Record<string, string>, { trusted = true, named = [] as string[], onlyNamed = false } = {}) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const [cwd, agentDir] = [join(home, "project"), join(home, "agent")];
  mkdirSync(cwd, { recursive: true });
  const loader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager: SettingsManager.create(cwd, agentDir, { projectTrusted: trusted }),
    additionalExtensionPaths: named,
    noExtensions: onlyNamed,
    extensionFactories: [() => {}, { name: "mine", factory: () => {} }],
  });
  await loader.reload();
  const { extensions, errors } = loader.getExtensions();
  return {
    errors,
    warnings: loader.getWarnings(),
    extensions: extensions.map(({ path, sourceInfo: { source, scope, origin } }) =>
      [path.replace(`${home}/`, ""), source, scope, origin].join(" "),
    ),
  };
}

const everywhere = {
  "named.ts": empty,
  "project/.pi/settings.json": JSON.stringify({ extensions: ["../set.ts"] }),
  "project/set.ts": empty,
  "project/.pi/extensions/found.ts": empty,
  "agent/settings.json": JSON.stringify({ extensions: ["more"], packages: ["./package"] }),
  "agent/more/a.ts": empty,
  "agent/more/b/index.ts": empty,
  "agent/more/b/other.ts": "not loaded",
  "agent/extensions/own.js": empty,
  "agent/package/extensions/packed.ts": empty,
};

describe("where extensions come from", () => {
  it("in load order, each with its origin", async () => {
    const { extensions, errors } = await load(everywhere, { named: [join(home, "named.ts")] });
    expect(errors).toEqual([]);
    expect(extensions).toEqual([
      "named.ts cli temporary top-level",
      "project/set.ts local project top-level",
      "project/.pi/extensions/found.ts auto project top-level",
      "agent/more/a.ts local user top-level",
      "agent/more/b/index.ts local user top-level",
      "agent/extensions/own.js auto user top-level",
      "agent/package/extensions/packed.ts ./package user package",
      "<inline:1> inline temporary top-level",
      "<inline:mine> inline temporary top-level",
    ]);
  });

  it("without trust nothing of the project, with --no-extensions only what was named and factories", async () => {
    const untrusted = await load(everywhere, { trusted: false });
    expect(untrusted.extensions.filter((line) => line.includes("project"))).toEqual([]);
    expect(untrusted.extensions).toHaveLength(6);
    const { extensions } = await load(everywhere, { named: [join(home, "named.ts")], onlyNamed: true });
    expect(extensions.map((line) => line.split(" ")[0])).toEqual(["named.ts", "<inline:1>", "<inline:mine>"]);
  });

  it.each<[string, string[], string[]]>([
    ["a glob chooses among what the settings add, not among what is found", ["more", "more/a*"], ["a.ts", "own.js"]],
    ["an exclusion acts on both", ["more", "!*.js"], ["a.ts", "index.ts"]],
    ["a removal beats a glob", ["more", "-more/a.ts"], ["index.ts", "own.js"]],
    ["what is forced beats an exclusion", ["more", "!*", "+extensions/own.js"], ["own.js"]],
    ["a removal beats what is forced", ["+extensions/own.js", "-extensions/own.js"], []],
    ["a folder may be left out by its name", ["more", "!**/b/**"], ["a.ts", "own.js"]],
  ])("%s", async (_what, extensions, expected) => {
    const files = { ...everywhere, "agent/settings.json": JSON.stringify({ extensions }) };
    const loaded = await load(files, { trusted: false });
    const names = loaded.extensions.map((line) => line.split(" ")[0]?.split("/").at(-1));
    expect(names.filter((name) => !name?.startsWith("<inline"))).toEqual(expected);
  });

  it("a file of the settings that is missing is an error, a folder without any is none", async () => {
    const { errors } = await load({
      "agent/settings.json": JSON.stringify({ extensions: ["gone.ts", "hollow"] }),
      "agent/hollow/notes.md": "",
    });
    const path = join(home, "agent/gone.ts");
    expect(errors).toEqual([{ path, error: `Extension path does not exist: ${path}` }]);
  });

  it("a package that brings modules of the program along is told about, and loads all the same", async () => {
    const { warnings, extensions } = await load({
      "agent/settings.json": JSON.stringify({ packages: ["./package"] }),
      "agent/package/package.json": JSON.stringify({
        name: "heavy",
        dependencies: { "@mariozechner/pi-tui": "1", ms: "1", typebox: "1" },
      }),
      "agent/package/index.ts": empty,
    });
    expect(warnings).toEqual([
      'Host-provided extension packages must be declared in peerDependencies with a "*" range, not dependencies: ' +
        "@mariozechner/pi-tui, typebox. The copies that heavy installs are not used.",
    ]);
    expect(extensions[0]).toBe("agent/package/index.ts ./package user package");
  });
});
