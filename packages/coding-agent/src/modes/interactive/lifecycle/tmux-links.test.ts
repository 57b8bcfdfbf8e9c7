import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCapabilities, resetCapabilitiesCache } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { findTmuxLinks } from "./tmux-links.js";

let bin: string;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), "pi-tmux-"));
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  vi.stubEnv("PI_HYPERLINKS", "");
  resetCapabilitiesCache();
});
afterEach(() => {
  vi.unstubAllEnvs();
  resetCapabilitiesCache();
  rmSync(bin, { recursive: true, force: true });
});

it.each<[string, string, Record<string, string>, boolean]>([
  ["tells of links", "echo 256,hyperlinks,title", { TMUX: "x" }, true],
  ["is known by TERM alone", "echo hyperlinks", { TMUX: "", TERM: "tmux-256color" }, true],
  ["tells of none", "echo 256,title", { TMUX: "x" }, false],
  ["fails", "echo hyperlinks; exit 1", { TMUX: "x" }, false],
  ["is not there", "echo hyperlinks", { TMUX: "", TERM: "xterm-256color" }, false],
  ["tells of links, which the user does not want", "echo hyperlinks", { TMUX: "x", PI_HYPERLINKS: "0" }, false],
])("tmux %s", async (_what, script, env, hyperlinks) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const file = join(bin, "tmux");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  await findTmuxLinks();
  expect(getCapabilities().hyperlinks).toBe(hyperlinks);
});
