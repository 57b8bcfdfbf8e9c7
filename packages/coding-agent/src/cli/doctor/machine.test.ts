import { describe, expect, it } from "vitest";
import { checkNode, checkProxies, checkTerminal } from "./machine.js";
import { exitCode, reportText } from "./report.js";

describe("checkNode", () => {
  it.each([
    ["v20.19.0", "ok"],
    ["v22.1.0", "ok"],
    ["v20.18.9", "fail"],
    ["v18.20.0", "fail"],
  ])("%s: %s", (version, level) => {
    expect(checkNode(version).level).toBe(level);
  });
});

describe("checkTerminal", () => {
  const good = { TERM: "xterm-256color", LANG: "C.UTF-8" };
  it.each<[string, Record<string, string>, number | undefined, string, RegExp]>([
    ["a good one", { ...good, COLORTERM: "truecolor" }, 80, "ok", /all colours, 80 columns/],
    ["few colours", { ...good, TERM: "xterm" }, 80, "ok", /16 colours/],
    ["no colours", { ...good, NO_COLOR: "1" }, 80, "ok", /NO_COLOR/],
    ["dumb", { ...good, TERM: "dumb" }, 80, "warn", /dumb/],
    ["nothing said", {}, 80, "warn", /TERM is not set/],
    ["no UTF-8", { TERM: "xterm", LANG: "C" }, 80, "warn", /no UTF-8 \(C\)/],
    ["narrow", good, 20, "warn", /20 columns/],
  ])("%s", (_name, env, columns, level, found) => {
    const check = checkTerminal({ isTerminal: true, columns, env });
    expect(check).toMatchObject({ level, found: expect.stringMatching(found) });
    expect(check.fix !== undefined).toBe(level !== "ok");
  });
});

describe("checkProxies", () => {
  it.each<[object, string | undefined, string, string]>([
    [{}, undefined, "ok", "none"],
    [
      { https_proxy: "http://me:secret@host:1", NO_PROXY: "a" },
      undefined,
      "ok",
      "HTTPS_PROXY http://host:1, not for a",
    ],
    [{}, "http://host:2", "ok", "httpProxy (as HTTPS_PROXY) http://host:2, httpProxy (as HTTP_PROXY) http://host:2"],
    [{ HTTP_PROXY: "host:3128" }, undefined, "ok", "HTTP_PROXY http://host:3128"],
    [{ HTTP_PROXY: "host:secret" }, undefined, "fail", "no address: HTTP_PROXY"],
    [{ HTTPS_PROXY: "socks5://host:1" }, undefined, "fail", "no address: HTTPS_PROXY"],
    [{}, "http://a b", "fail", "no address: httpProxy (as HTTPS_PROXY), httpProxy (as HTTP_PROXY)"],
  ])("%j", (env, setting, level, found) => {
    expect(checkProxies(env as Record<string, string>, setting)).toMatchObject({ level, found });
  });
});

describe("the report", () => {
  it("one line each, what to do below, and a count", () => {
    const checks = [
      { title: "A", level: "ok" as const, found: "fine" },
      { title: "Long", level: "warn" as const, found: "odd", fix: "Look." },
    ];
    expect(reportText(checks)).toBe(
      "ok    A     fine\nwarn  Long  odd\n            Look.\n\nTo fix: 0. To look at: 1.",
    );
    expect(exitCode(checks)).toBe(0);
    expect(exitCode([{ title: "B", level: "fail", found: "", fix: "" }])).toBe(1);
  });
});
