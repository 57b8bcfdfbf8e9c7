import { afterEach, describe, expect, it, vi } from "vitest";
import {
  detectCapabilities,
  getCapabilities,
  getTerminalColorMode,
  resetCapabilitiesCache,
  setCapabilities,
  setCapabilityOverrides,
} from "./capabilities.js";

const names = [
  ...["TMUX", "TERM", "TERM_PROGRAM", "COLORTERM", "KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE"],
  ...["WARP_SESSION_ID", "WARP_TERMINAL_SESSION_UUID", "ITERM_SESSION_ID", "WT_SESSION", "TERMINAL_EMULATOR"],
  ...["PI_IMAGE_PROTOCOL", "PI_TRUE_COLOR", "PI_HYPERLINKS"],
];

function detect(environment: Record<string, string>, tmux?: () => boolean) {
  for (const name of names) vi.stubEnv(name, environment[name] ?? "");
  const { images, trueColor, hyperlinks } = detectCapabilities(tmux);
  return `${images}/${trueColor}/${hyperlinks}`;
}

afterEach(() => {
  vi.unstubAllEnvs();
  setCapabilityOverrides({});
  resetCapabilitiesCache();
});

describe("detectCapabilities", () => {
  it.each<[Record<string, string>, string]>([
    [{ TMUX: "x", KITTY_WINDOW_ID: "1" }, "null/false/false"],
    [{ TERM: "tmux-256color", COLORTERM: "truecolor" }, "null/true/false"],
    [{ TERM: "screen", COLORTERM: "24bit" }, "null/true/false"],
    [{ KITTY_WINDOW_ID: "1" }, "kitty/true/true"],
    [{ GHOSTTY_RESOURCES_DIR: "/x" }, "kitty/true/true"],
    [{ TERM_PROGRAM: "rex" }, "kitty/true/true"],
    [{ ITERM_SESSION_ID: "x" }, "iterm2/true/true"],
    [{ TERM_PROGRAM: "vscode" }, "null/true/true"],
    [{ TERMINAL_EMULATOR: "JetBrains-JediTerm" }, "null/true/false"],
    [{ TERM: "xterm-direct" }, "null/true/false"],
    [{ TERM: "xterm-256color" }, "null/false/false"],
    [{ KITTY_WINDOW_ID: "1", PI_IMAGE_PROTOCOL: "none", PI_TRUE_COLOR: "0", PI_HYPERLINKS: "0" }, "null/false/false"],
    [{ PI_IMAGE_PROTOCOL: "iterm2", PI_TRUE_COLOR: "1", PI_HYPERLINKS: "1" }, "iterm2/true/true"],
  ])("%j", (environment, expected) => {
    expect(detect(environment)).toBe(expected);
  });

  it("asks tmux about hyperlinks", () => {
    expect(detect({ TMUX: "x" }, () => true)).toBe("null/false/true");
  });

  it("remembers, and lets the user's settings win", () => {
    setCapabilities({ images: "kitty", trueColor: false, hyperlinks: true });
    setCapabilityOverrides({ images: null });
    expect(getCapabilities()).toEqual({ images: null, trueColor: false, hyperlinks: true });
    expect(getTerminalColorMode()).toBe("256color");
  });
});
