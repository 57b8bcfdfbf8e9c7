import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { THEME_TOKENS } from "../../src/core/themes/tokens.js";
import { Theme, type ThemeColor } from "../../src/index.js";
import { usePi } from "../pi.js";
import { useMode } from "./in-process.js";
import { keys } from "./terminal.js";
import { useTerminal } from "./use-terminal.js";

const startPi = usePi();
const open = useTerminal();
const start = useMode();

const theme = (name: string, color: string) =>
  JSON.stringify({ name, colors: Object.fromEntries(THEME_TOKENS.map((token) => [token, color])) });

it("extensions find the themes of files and of other extensions, and set them by name or as they are", async () => {
  const { mode } = await start(80, 24, {
    files: { "themes/file.json": theme("mine", "#123456"), "elsewhere/x.json": theme("theirs", "#654321") },
    factories: [(pi) => void pi.on("resources_discover", () => ({ themePaths: ["elsewhere"] }))],
  });
  await expect.poll(() => mode.extensionUI.getAllThemes().map(({ name }) => name)).toContain("theirs");
  const ui = mode.extensionUI;
  expect(ui.getAllThemes().map(({ name, path }) => [name, path?.split("/").at(-1)])).toEqual([
    ["system", undefined],
    ["dark", undefined],
    ["light", undefined],
    ["mine", "file.json"],
    ["theirs", "x.json"],
  ]);
  const mine = ui.getTheme("mine");
  expect(mine).toBeInstanceOf(Theme);
  expect(ui.getTheme("nobody")).toBeUndefined();
  // Looking at a theme does not set it.
  expect(ui.theme.name).toBe("system");
  expect(ui.setTheme("theirs")).toEqual({ success: true });
  expect(ui.theme.name).toBe("theirs");
  const settings = mode.session.settingsManager;
  expect(settings.getThemeSetting()).toBe("theirs");
  expect(ui.setTheme(mine as Theme)).toEqual({ success: true });
  expect(ui.theme).toBe(mine);
  // A theme that is no name of a file is not kept.
  expect(settings.getThemeSetting()).toBe("theirs");
  expect(ui.setTheme({ fg: (_token: ThemeColor, text: string) => text } as Theme).success).toBe(false);
});

it("the start says what there is of each kind, also what extensions add", async () => {
  const { terminal } = await start(80, 40, {
    files: {
      "themes/file.json": theme("mine", "#123456"),
      "themes/broken.json": "{",
      "prompts/greet.md": "Hi.",
      "extensions/tool/index.ts": "export default () => {};",
      "elsewhere/late.md": "Late.",
    },
    factories: [(pi) => void pi.on("resources_discover", () => ({ promptPaths: ["elsewhere"] }))],
  });
  await expect.poll(() => terminal.screen()).toMatch(/\[Prompts\]\n {2}\/greet, \/late/);
  const screen = await terminal.screen();
  expect(screen).toMatch(/\[Extensions\]\n {2}tool, <inline:1>/);
  expect(screen).toMatch(/\[Themes\]\n {2}mine\n/);
  expect(screen).toMatch(/\[Theme conflicts\]\n {2}\S+broken\.json: /);
});

it("a theme of this run stays through a reload, until another one is chosen", async () => {
  const { mode } = await start(80, 24, { theme: "light" });
  expect(mode.extensionUI.theme.name).toBe("light");
  await mode.reload();
  expect(mode.extensionUI.theme.name).toBe("light");
  mode.extensionUI.setTheme("dark");
  await mode.reload();
  expect(mode.extensionUI.theme.name).toBe("dark");
});

it("--theme brings a theme along, that settings and --use-theme may name; one that is not there is said", async () => {
  const pi = await startPi([]);
  mkdirSync(join(pi.cwd, "looks"));
  writeFileSync(join(pi.cwd, "looks", "a.json"), theme("brought", "#123456"));
  mkdirSync(join(pi.agentDir, "themes"));
  writeFileSync(join(pi.agentDir, "themes", "broken.json"), "{");
  pi.configure("settings.json", JSON.stringify({ theme: "brought" }));
  const first = open(pi, ["--theme", "looks"]);
  await first.ready();
  await first.until("the colour", () => first.output.includes("38;2;18;52;86"));
  expect(first.text()).not.toContain("No theme is called");
  // Said where it belongs, and not a second time among the notices.
  await first.shows(/\[Theme conflicts\]\n.*broken\.json: /);
  expect(first.text()).not.toContain("Warning: ");
  const second = open(pi, ["--theme", "looks", "--use-theme", "nobody"]);
  await second.shows('No theme is called "nobody"');
  second.type("/theme", keys.enter);
  await second.shows("brought");
});
