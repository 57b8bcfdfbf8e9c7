import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migratedSettings } from "./migrate-settings.js";
import { SettingsManager } from "./settings-manager.js";

let dir: string;
let cwd: string;
const global = () => join(dir, "agent", "settings.json");
const project = () => join(cwd, ".pi", "settings.json");

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-settings-"));
  cwd = join(dir, "project");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(path: string, settings: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof settings === "string" ? settings : JSON.stringify(settings));
}

const create = (projectTrusted?: boolean) =>
  SettingsManager.create(cwd, join(dir, "agent"), projectTrusted === undefined ? undefined : { projectTrusted });
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

describe("two scopes", () => {
  it("the project's values lie over the user's: objects are merged, the rest is replaced", () => {
    write(global(), { retry: { maxRetries: 1, enabled: false }, skills: ["a"], defaultModel: "m" });
    write(project(), { retry: { maxRetries: 9 }, skills: ["b"] });
    expect(create().getSettings()).toEqual({
      retry: { maxRetries: 9, enabled: false },
      skills: ["b"],
      defaultModel: "m",
    });
  });

  it.each<[string[] | undefined, string[] | undefined, string[]]>([
    [undefined, undefined, ["read", "bash"]],
    [["ls"], undefined, ["ls"]],
    [["ls"], ["+grep"], ["ls", "grep"]],
    [undefined, ["-bash"], ["read"]],
    [["+grep"], ["-bash"], ["read", "grep"]],
    [[], ["+grep"], ["grep"]],
    [["ls"], ["find"], ["find"]],
    [["ls"], [], []],
  ])("tools %j, of the project %j: %j", (user, own, expected) => {
    write(global(), user ? { defaultTools: user } : {});
    write(project(), own ? { defaultTools: own } : {});
    expect(create().getDefaultTools(["read", "bash"])).toEqual(expected);
  });

  it("a project does not decide about trust or proxies", () => {
    write(project(), { defaultProjectTrust: "always", httpProxy: "http://evil", theme: "dark" });
    const settings = create();
    expect([settings.getDefaultProjectTrust(), settings.getHttpProxy(), settings.getThemeSetting()]).toEqual([
      "ask",
      undefined,
      "dark",
    ]);
  });

  it("nothing of a project without trust counts but where sessions are kept", () => {
    write(project(), { theme: "dark", sessionDir: "/s" });
    const settings = create(false);
    expect([settings.getSettings(), settings.getProjectSettings(), settings.getSessionDir()]).toEqual([{}, {}, "/s"]);
    expect(() => settings.setProjectSkillPaths(["x"])).toThrow(
      "Project is not trusted; refusing to write project settings",
    );
    settings.setProjectTrusted(true);
    expect(settings.getThemeSetting()).toBe("dark");
    settings.setProjectTrusted(false);
    expect(settings.getThemeSetting()).toBe("system");
  });

  it("a project without trust that holds nonsense is not spoken of", () => {
    write(project(), "{");
    const settings = create(false);
    expect([settings.getSessionDir(), settings.drainErrors()]).toEqual([undefined, []]);
  });
});

describe("changes", () => {
  it("store the changed keys only, in the file of their scope", async () => {
    write(global(), { other: 1, retry: { maxRetries: 2 } });
    const settings = create();
    write(global(), { other: 2, retry: { maxRetries: 2, more: true } });
    settings.setRetryEnabled(false);
    settings.setProjectPackages(["npm:x"]);
    expect([settings.getRetryEnabled(), settings.getPackages()]).toEqual([false, ["npm:x"]]);
    await settings.flush();
    expect(read(global())).toEqual({ other: 2, retry: { maxRetries: 2, more: true, enabled: false } });
    expect(read(project())).toEqual({ packages: ["npm:x"] });
    settings.removeModelThinkingLevel("a", "b");
    settings.setEnabledModels(undefined);
    await settings.flush();
    expect(settings.drainErrors()).toEqual([]);
  });

  it("survive a reload when they are overrides, and when they are stored", async () => {
    const settings = create();
    settings.applyOverrides({ theme: "mine" });
    settings.setOutputPad(0);
    await settings.reload();
    expect([settings.getThemeSetting(), settings.getOutputPad()]).toEqual(["mine", 0]);
    expect(read(global())).toEqual({ outputPad: 0 });
  });

  it("never touch a file that was not understood", async () => {
    write(global(), "{ not json");
    const settings = create();
    expect(settings.drainErrors()).toMatchObject([
      { scope: "global", path: global(), error: { message: expect.stringContaining(global()) } },
    ]);
    settings.setTheme("x");
    await settings.flush();
    expect([settings.getThemeSetting(), readFileSync(global(), "utf8")]).toEqual(["x", "{ not json"]);
    expect(settings.drainErrors()).toMatchObject([
      {
        scope: "global",
        path: global(),
        error: {
          message: expect.stringMatching(
            /^Could not save settings: Invalid settings file \S+: expected .* at line 1, column 3\. Its settings are ignored/,
          ),
        },
      },
    ]);
  });

  it("are stored in an empty file, which is said to be one", async () => {
    for (const text of ["", " \n"]) {
      write(global(), text);
      const settings = create();
      expect(settings.drainErrors().map(({ error }) => error.message)).toEqual([
        `Invalid settings file ${global()}: it is empty. It is ignored until you correct it.`,
      ]);
      settings.setOutputPad(0);
      await settings.flush();
      expect([read(global()), settings.drainErrors()]).toEqual([{ outputPad: 0 }, []]);
    }
  });

  it("of what the project decides are told to whoever asks", () => {
    write(project(), { retry: { enabled: false } });
    const settings = create();
    expect(settings.projectFileOf(["retry", "enabled"])).toBe(project());
    expect(settings.projectFileOf(["outputPad"])).toBeUndefined();
    settings.setProjectTrusted(false);
    expect(settings.projectFileOf(["retry", "enabled"])).toBeUndefined();
  });

  it("remember what the program notes for itself", async () => {
    const settings = create();
    const id = settings.getOrCreateDeviceId();
    expect(settings.getExtensionChangelogVersion("npm:tools")).toBeUndefined();
    settings.setExtensionChangelogVersion("npm:tools", "1.2.3");
    await settings.flush();
    expect(read(global())).toEqual({ deviceId: id, extensionChangelogVersions: { "npm:tools": "1.2.3" } });
    const again = create();
    expect([again.getOrCreateDeviceId(), again.getExtensionChangelogVersion("npm:tools")]).toEqual([id, "1.2.3"]);
  });

  it("of packages are made to what is stored by then", async () => {
    const [first, second] = [create(), create()];
    first.editPackages("global", (packages) => [...packages, "npm:a"]);
    second.editPackages("global", (packages) => [...packages, "npm:b"]);
    await Promise.all([first.flush(), second.flush()]);
    expect((read(global()) as { packages: string[] }).packages.sort()).toEqual(["npm:a", "npm:b"]);
    const [third, fourth] = [create(), create()];
    third.editPackages("global", (packages) => packages.filter((one) => one !== "npm:a"));
    fourth.editPackages("global", (packages) => packages.filter((one) => one !== "npm:b"));
    await Promise.all([third.flush(), fourth.flush()]);
    expect(read(global())).toEqual({ packages: [] });
  });

  it("go to the host's storage", async () => {
    const texts: Record<string, string | undefined> = { global: '{"theme":"a"}' };
    const settings = SettingsManager.fromStorage({
      withLock(scope, fn) {
        texts[scope] = fn(texts[scope]) ?? texts[scope];
      },
    });
    expect(settings.getThemeSetting()).toBe("a");
    settings.setTheme("b");
    settings.setProjectThemePaths(["t"]);
    await settings.flush();
    expect(texts).toEqual({ global: '{\n  "theme": "b"\n}', project: '{\n  "themes": [\n    "t"\n  ]\n}' });
  });
});

describe("values that a key cannot have", () => {
  it.each<[object, string]>([
    [{ quietStartup: "yes" }, '"quietStartup": expected boolean or "header", got "yes"'],
    [{ theme: 5 }, '"theme": expected string, got number'],
    [{ terminal: { images: "sixel" } }, '"terminal.images": expected "kitty", "iterm2", false or "auto", got "sixel"'],
    [{ skills: [1] }, '"skills": expected an array of strings, got an array of something else'],
    [{ retry: true }, '"retry": expected object, got boolean'],
    [{ modelThinkingLevels: { "a/b": "much" } }, '"modelThinkingLevels.a/b": expected "off" or "minimal"'],
    [{ packages: [{ name: "x" }] }, ""],
  ])("%j", (settings, message) => {
    write(global(), { ...settings, defaultModel: "kept" });
    const manager = create();
    const errors = manager.drainErrors();
    if (message !== "") expect(errors[0]?.error.message).toContain(message);
    expect(manager.getDefaultModel()).toBe("kept");
  });
});

describe("old names", () => {
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ queueMode: "all" }, { steeringMode: "all" }],
    [{ queueMode: "all", steeringMode: "one-at-a-time" }, { steeringMode: "one-at-a-time" }],
    [{ websockets: true }, { transport: "websocket" }],
    [{ websockets: false, transport: "auto" }, { transport: "auto" }],
    [
      { skills: { enableSkillCommands: false, customDirectories: ["d"] } },
      { enableSkillCommands: false, skills: ["d"] },
    ],
    [{ retry: { maxDelayMs: 5, maxRetries: 1 } }, { retry: { maxRetries: 1, provider: { maxRetryDelayMs: 5 } } }],
    [{ retry: { maxDelayMs: 5, provider: { maxRetryDelayMs: 6 } } }, { retry: { provider: { maxRetryDelayMs: 6 } } }],
    [
      { theme: "x", unknown: 1 },
      { theme: "x", unknown: 1 },
    ],
  ])("%j", (old, expected) => {
    expect(migratedSettings(old)).toEqual(expected);
  });

  it("are replaced in the file with the first change", async () => {
    write(global(), { queueMode: "all", mine: 1 });
    const settings = create();
    expect(settings.getSteeringMode()).toBe("all");
    settings.setTheme("x");
    await settings.flush();
    expect(read(global())).toEqual({ steeringMode: "all", mine: 1, theme: "x" });
  });
});
