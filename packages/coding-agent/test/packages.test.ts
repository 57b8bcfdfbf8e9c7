import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DefaultPackageManager } from "../src/core/packages/package-manager.js";
import { SettingsManager } from "../src/core/settings/settings-manager.js";
import { NpmRegistry } from "./npm-registry.js";
import { type PiFixture, usePi } from "./pi.js";

const startPi = usePi();
const settings = (pi: PiFixture) => JSON.parse(readFileSync(join(pi.agentDir, "settings.json"), "utf8"));

describe("packages from npm", () => {
  let registry: NpmRegistry;
  beforeAll(async () => {
    registry = await NpmRegistry.start();
    const scripts = { postinstall: "node -e \"require('fs').writeFileSync('ran','')\"" };
    const files = { "extensions/hello.ts": "export default () => {};", "prompts/fix.md": "Fix $1" };
    registry.publish({ name: "pi-hello", version: "1.0.0", scripts }, files);
    registry.publish({ name: "pi-hello", version: "1.1.0", scripts }, files);
  });
  afterAll(() => registry.close());

  const env = () => ({ npm_config_registry: registry.url, npm_config_cache: undefined });
  const folder = (pi: PiFixture) => join(pi.agentDir, "npm", "node_modules", "pi-hello");
  const version = (pi: PiFixture) => JSON.parse(readFileSync(join(folder(pi), "package.json"), "utf8")).version;

  it("are installed, listed, updated and removed; their scripts do not run", async () => {
    const pi = await startPi([]);
    const run = async (...words: string[]) => pi.run(words, { env: env() });
    expect(await run("list")).toMatchObject({ code: 0, stdout: "No packages installed.\n" });
    expect(await run("install", "npm:pi-hello@^1.0.0")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: "Installing npm:pi-hello@^1.0.0...\nInstalled npm:pi-hello@^1.0.0\n",
    });
    expect(version(pi)).toBe("1.1.0");
    expect(existsSync(join(folder(pi), "ran"))).toBe(false);
    expect(settings(pi).packages).toEqual(["npm:pi-hello@^1.0.0"]);
    expect(settings(pi).retry).toEqual({ enabled: false });
    expect((await run("list")).stdout).toBe(`User packages:\n  npm:pi-hello@^1.0.0\n    ${folder(pi)}\n`);
    expect(await run("update", "--extensions")).toMatchObject({ code: 0, stdout: "Packages are already up to date\n" });
    registry.publish({ name: "pi-hello", version: "1.2.0" }, { "index.ts": "export default () => {};" });
    expect(await run("update", "--extensions")).toMatchObject({
      code: 0,
      stdout: "Updated 1 package(s):\n  pi-hello\n",
    });
    expect(version(pi)).toBe("1.2.0");
    // What is up to date is fetched once more, and so is what somebody deleted.
    rmSync(folder(pi), { recursive: true });
    expect(await run("update", "--extensions")).toMatchObject({ code: 0, stdout: "Packages are already up to date\n" });
    for (let round = 0; round < 2; round++) {
      expect(await run("update", "--extensions", "--force")).toMatchObject({
        code: 0,
        stdout: "Updated 1 package(s):\n  pi-hello\n",
      });
      expect(version(pi)).toBe("1.2.0");
    }
    expect(await run("update", "npm:other")).toMatchObject({
      code: 1,
      stderr: "No matching package found for npm:other\n",
    });
    expect((await run("update", "hello")).stderr).toBe(
      "No matching package found for hello. Did you mean npm:pi-hello@^1.0.0?\n",
    );
    expect(await run("remove", "npm:pi-hello")).toMatchObject({
      code: 0,
      stdout: "Removing npm:pi-hello...\nRemoved npm:pi-hello\n",
    });
    expect(existsSync(folder(pi))).toBe(false);
    expect(settings(pi).packages).toEqual([]);
    expect(await run("remove", "npm:pi-hello")).toMatchObject({
      code: 1,
      stderr: "No matching package found for npm:pi-hello\n",
    });
  });

  it("run their scripts when the user allows it, for this package", async () => {
    const pi = await startPi([]);
    expect((await pi.run(["install", "npm:pi-hello@1.0.0", "--allow-scripts"], { env: env() })).code).toBe(0);
    expect(existsSync(join(folder(pi), "ran"))).toBe(true);
    expect(settings(pi).packages).toEqual([{ source: "npm:pi-hello@1.0.0", allowScripts: true }]);
  });

  it("that cannot be had are said, and leave the settings as they were", async () => {
    const pi = await startPi([]);
    const run = await pi.run(["install", "npm:pi-nowhere"], { env: env() });
    expect(run).toMatchObject({ code: 1, stdout: "Installing npm:pi-nowhere...\n" });
    expect(run.stderr).toMatch(/^Error: npm install failed with exit code 1: /);
    expect(settings(pi).packages).toBe(undefined);
  });
});

describe("packages from git", () => {
  it("are cloned, updated and removed; a ref pins them", async () => {
    const pi = await startPi([]);
    const origin = join(pi.home, "origin");
    mkdirSync(origin);
    const git = (...words: string[]) => {
      const run = spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: origin });
      if (run.status !== 0) throw new Error(run.stderr.toString());
    };
    git("init", "-q", "-b", "main");
    writeFileSync(join(origin, "index.ts"), "one");
    git("add", ".");
    git("commit", "-qm", "one");
    git("tag", "v1");
    const env = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${origin}.insteadOf`,
      GIT_CONFIG_VALUE_0: "https://git.test/u/r",
    };
    const run = (...words: string[]) => pi.run(words, { env });
    const index = join(pi.agentDir, "git", "git.test", "u", "r", "index.ts");
    expect(await run("install", "git:git.test/u/r")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(index, "utf8")).toBe("one");
    writeFileSync(join(origin, "index.ts"), "two");
    git("commit", "-qam", "two");
    expect((await run("update", "--extensions")).stdout).toBe("Updated 1 package(s):\n  git.test/u/r\n");
    expect(readFileSync(index, "utf8")).toBe("two");
    // The same package at a ref takes its place, and stays there.
    expect(await run("install", "https://git.test/u/r@v1")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(index, "utf8")).toBe("one");
    expect(settings(pi).packages).toEqual(["https://git.test/u/r@v1"]);
    for (const words of [[], ["--force"]]) {
      expect((await run("update", "--extensions", ...words)).stdout).toBe("Packages are already up to date\n");
    }
    expect(await run("remove", "git:git.test/u/r")).toMatchObject({ code: 0 });
    expect(existsSync(index)).toBe(false);
  });
});

describe("packages in folders", () => {
  it("stay where they are; the settings keep a relative path", async () => {
    const pi = await startPi([]);
    mkdirSync(join(pi.home, "mine"));
    expect(await pi.run(["install", "../mine"])).toMatchObject({
      code: 0,
      stdout: "Installing ../mine...\nInstalled ../mine\n",
    });
    expect(settings(pi).packages).toEqual(["../mine"]);
    expect(await pi.run(["remove", join(pi.home, "mine")])).toMatchObject({ code: 0 });
    expect(existsSync(join(pi.home, "mine"))).toBe(true);
    expect(await pi.run(["install", "./nowhere"])).toMatchObject({
      code: 1,
      stderr: `Error: Path does not exist: ${join(pi.cwd, "nowhere")}\n`,
    });
  });

  it("go into a project's settings only when the project is trusted", async () => {
    const pi = await startPi([]);
    mkdirSync(join(pi.cwd, ".pi"));
    writeFileSync(join(pi.cwd, ".pi", "settings.json"), "{}");
    mkdirSync(join(pi.cwd, "mine"));
    expect(await pi.run(["install", "./mine", "-l"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "Project is not trusted. Use --approve to modify local package config.\n",
    });
    expect(await pi.run(["install", "./mine", "-l", "-a"])).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(readFileSync(join(pi.cwd, ".pi", "settings.json"), "utf8"))).toEqual({ packages: ["../mine"] });
    expect((await pi.run(["list", "-a"])).stdout).toBe(`Project packages:\n  ../mine\n    ${join(pi.cwd, "mine")}\n`);
  });

  it("give what their manifest and the filter say", async () => {
    const pi = await startPi([]);
    const write = (name: string, text = "") => {
      mkdirSync(join(pi.home, "p", name, ".."), { recursive: true });
      writeFileSync(join(pi.home, "p", name), text);
    };
    for (const name of [
      "extensions/a.ts",
      "extensions/b/index.ts",
      "skills/s/SKILL.md",
      "prompts/deep/x.md",
      "themes/t.json",
    ]) {
      write(name);
    }
    const resolved = async (entry: object | string) => {
      const settingsManager = SettingsManager.inMemory({ packages: [entry as string] });
      const manager = new DefaultPackageManager({ cwd: pi.home, agentDir: pi.agentDir, settingsManager });
      const paths = await manager.resolve();
      const enabled = Object.values(paths).flatMap((list) =>
        (list as { path: string; enabled: boolean }[]).filter((one) => one.enabled),
      );
      return enabled.map(({ path }) => path.slice(join(pi.home, "p").length + 1)).sort();
    };
    const source = join(pi.home, "p");
    const all = ["extensions/a.ts", "extensions/b/index.ts", "prompts/deep/x.md", "skills/s/SKILL.md", "themes/t.json"];
    expect(await resolved(source)).toEqual(all);
    expect(await resolved({ source, extensions: [], themes: [] })).toEqual(["prompts/deep/x.md", "skills/s/SKILL.md"]);
    expect(await resolved({ source, extensions: ["!extensions/b/**"] })).toEqual(
      all.filter((name) => !name.includes("/b/")),
    );
    expect(await resolved({ source, autoload: false, extensions: ["+extensions/a.ts"] })).toEqual(["extensions/a.ts"]);
    write("package.json", JSON.stringify({ pi: { prompts: ["prompts/**/*.md"], skills: "nonsense" } }));
    expect(await resolved(source)).toEqual(["prompts/deep/x.md"]);
  });
});
