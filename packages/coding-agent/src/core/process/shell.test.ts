import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getAgentDir } from "../../config.js";
import { getBinDir, getCommandEnvironment, getShellEnvironment } from "./environment.js";
import { findOnPath, getShellConfig } from "./shell.js";

describe("getShellConfig", () => {
  it("takes bash, or the custom shell if it exists", () => {
    expect(getShellConfig().shell).toMatch(/bash$/);
    expect(getShellConfig("/bin/sh")).toEqual({ shell: "/bin/sh", args: ["-c"] });
    expect(() => getShellConfig("/no/shell")).toThrow("Custom shell path not found: /no/shell");
  });
});

describe("findOnPath", () => {
  it("finds the first executable file", () => {
    expect(findOnPath("sh", { PATH: `/nowhere${delimiter}/bin` })).toBe("/bin/sh");
    expect(findOnPath("sh", { PATH: "/nowhere" })).toBeUndefined();
    expect(findOnPath("bin", { PATH: "/" })).toBeUndefined();
  });
});

describe("environment", () => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env["PI_CODING_AGENT_DIR"];
  });
  afterEach(() => {
    if (before === undefined) delete process.env["PI_CODING_AGENT_DIR"];
    else process.env["PI_CODING_AGENT_DIR"] = before;
  });

  it.each([
    [undefined, join(homedir(), ".pi", "agent")],
    ["/a/b", "/a/b"],
    ["~/x", join(homedir(), "x")],
    ["~", homedir()],
  ])("agent directory of %j", (value, expected) => {
    if (value === undefined) delete process.env["PI_CODING_AGENT_DIR"];
    else process.env["PI_CODING_AGENT_DIR"] = value;
    expect(getAgentDir()).toBe(expected);
  });

  it("puts the agent's programs first on PATH, once", () => {
    const bin = getBinDir();
    const env = getShellEnvironment({ PATH: "/usr/bin", X: "1" });
    expect(env).toEqual({ PATH: `${bin}${delimiter}/usr/bin`, X: "1" });
    expect(getShellEnvironment(env)).toEqual(env);
    expect(getShellEnvironment({})).toEqual({ PATH: bin });
    expect(getShellEnvironment({ Path: "C" })).toEqual({ Path: `${bin}${delimiter}C` });
  });

  it("sets the variables of the session and drops inherited ones", () => {
    const inherited = { PATH: getBinDir(), PI_SESSION_ID: "old", PI_SESSION_FILE: "old", PI_CODING_AGENT: "true" };
    expect(
      getCommandEnvironment({ sessionId: "s", provider: "p", model: "m", reasoningLevel: "off" }, inherited),
    ).toEqual({
      PATH: getBinDir(),
      PI_CODING_AGENT: "true",
      PI_SESSION_ID: "s",
      PI_PROVIDER: "p",
      PI_MODEL: "m",
      PI_REASONING_LEVEL: "off",
    });
    expect(getCommandEnvironment(undefined, inherited)).toEqual({ PATH: getBinDir(), PI_CODING_AGENT: "true" });
  });
});
