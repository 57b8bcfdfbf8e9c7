import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DefaultResourceLoader, type DefaultResourceLoaderOptions } from "../resource-loader.js";
import { SettingsManager } from "../settings/settings-manager.js";
import { THEME_TOKENS } from "../themes/tokens.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pi-themes-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const theme = (name: string, color = "#102030") =>
  JSON.stringify({ name, colors: Object.fromEntries(THEME_TOKENS.map((token) => [token, color])) });

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

async function load(options: Partial<DefaultResourceLoaderOptions> & { trusted?: boolean } = {}) {
  const { trusted = true, ...rest } = options;
  const [cwd, agentDir] = [join(home, "project"), join(home, "agent")];
  mkdirSync(cwd, { recursive: true });
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted: trusted });
  const loader = new DefaultResourceLoader({ cwd, agentDir, settingsManager, ...rest });
  await loader.reload();
  return loader;
}

const places = {
  "named.json": theme("named"),
  "agent/themes/user.json": theme("user"),
  "agent/themes/deeper/not-found.json": theme("deeper"),
  "agent/more/set.json": theme("set"),
  "agent/settings.json": JSON.stringify({ themes: ["more"], packages: ["./package"] }),
  "agent/package/themes/a/packed.json": theme("packed"),
  "project/.pi/themes/project.json": theme("project"),
  "project/found.json": theme("found"),
};

describe("themes", () => {
  it("come from the command line, the project, the user, packages and extensions, in this order", async () => {
    write(places);
    const loader = await load({ additionalThemePaths: [join(home, "named.json")] });
    await loader.extendResources({
      themePaths: [
        {
          path: join(home, "project/found.json"),
          metadata: { source: "extension:x", scope: "temporary", origin: "top-level" },
        },
      ],
    });
    const { themes, diagnostics } = loader.getThemes();
    expect(diagnostics).toEqual([]);
    expect(themes.map(({ name }) => name)).toEqual(["named", "project", "set", "user", "packed", "found"]);
    expect(themes[1]?.sourcePath).toBe(join(home, "project/.pi/themes/project.json"));
  });

  it("of a project count only when it is trusted", async () => {
    write(places);
    const names = (await load({ trusted: false })).getThemes().themes.map(({ name }) => name);
    expect(names).toEqual(["set", "user", "packed"]);
  });

  it("are only those that were named, if only those are wanted", async () => {
    write(places);
    const loader = await load({ noThemes: true, additionalThemePaths: [join(home, "named.json")] });
    expect(loader.getThemes().themes.map(({ name }) => name)).toEqual(["named"]);
  });

  it("are called by the name in the file; the first of a name counts, and what is wrong is said", async () => {
    write({
      "agent/themes/a.json": theme("one"),
      "agent/themes/b.json": theme("one"),
      "agent/themes/c.json": "{",
      "agent/themes/d.json": theme("dark"),
    });
    symlinkSync(join(home, "agent/themes/a.json"), join(home, "agent/themes/e.json"));
    const { themes, diagnostics } = (await load({ additionalThemePaths: [join(home, "gone.json")] })).getThemes();
    expect(themes.map(({ name }) => name)).toEqual(["one"]);
    const file = (name: string) => join(home, "agent/themes", name);
    expect(diagnostics).toMatchObject([
      { type: "warning", message: "theme path does not exist", path: join(home, "gone.json") },
      {
        type: "collision",
        message: 'name "one" collision',
        collision: { resourceType: "theme", name: "one", winnerPath: file("a.json"), loserPath: file("b.json") },
      },
      { type: "warning", message: expect.stringContaining('Invalid theme "c.json":'), path: file("c.json") },
      { type: "warning", message: 'a theme named "dark" is built in', path: file("d.json") },
    ]);
  });

  it("may be changed by the program, and are read again with a reload", async () => {
    write({ "agent/themes/a.json": theme("one") });
    const seen: number[] = [];
    const loader = await load({
      themesOverride: (base) => {
        seen.push(base.themes.length);
        return { themes: [], diagnostics: [] };
      },
    });
    expect(loader.getThemes().themes).toEqual([]);
    write({ "agent/themes/b.json": theme("two") });
    await loader.reload();
    loader.getThemes();
    expect(seen).toEqual([1, 2]);
  });
});
