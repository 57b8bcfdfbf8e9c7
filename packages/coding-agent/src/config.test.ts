import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getAgentDir, homeFolder } from "./config.js";

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(process.platform === "win32")("the home directory", () => {
  it.each([
    ["/somewhere", "/somewhere"],
    ["", userInfo().homedir],
    ["relative", userInfo().homedir],
    [undefined, userInfo().homedir],
  ])("HOME %j: %s", (value, home) => {
    vi.stubEnv("HOME", value);
    vi.stubEnv("PI_CODING_AGENT_DIR", undefined);
    expect(homeFolder()).toBe(home);
    expect(getAgentDir()).toBe(join(home, ".pi", "agent"));
  });

  it("is that of the system otherwise", () => {
    expect(isAbsolute(homeFolder())).toBe(true);
    expect(homeFolder()).toBe(homedir());
  });
});
