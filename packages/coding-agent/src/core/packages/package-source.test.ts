import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRemoteSource, packageIdentity, parsePackageSource } from "./package-source.js";

const parse = (source: string) => parsePackageSource(source, "/base");

describe("package sources", () => {
  it.each<[string, object]>([
    ["npm:a", { type: "npm", name: "a", spec: "a", isPinned: false }],
    ["npm:@s/p@1.2.3", { type: "npm", name: "@s/p", spec: "@s/p@1.2.3", range: "1.2.3", isPinned: true }],
    ["npm:a@^1", { type: "npm", name: "a", spec: "a@^1", range: "^1", isPinned: false }],
    ["npm:a@latest", { type: "npm", name: "a", spec: "a@latest", range: "latest", isPinned: false }],
    ["git:host.x/u/r", { type: "git", url: "https://host.x/u/r", host: "host.x", path: "u/r", isPinned: false }],
    [
      "git:git@host.x:u/r.git@v1",
      { type: "git", url: "git@host.x:u/r.git", host: "host.x", path: "u/r", ref: "v1", isPinned: true },
    ],
    [
      "https://host.x/u/r.git@main",
      { type: "git", url: "https://host.x/u/r.git", host: "host.x", path: "u/r", ref: "main", isPinned: true },
    ],
    [
      "ssh://git@host.x:22/u/r",
      { type: "git", url: "ssh://git@host.x:22/u/r", host: "host.x", path: "u/r", isPinned: false },
    ],
    [
      "git:https://host.x/u/r",
      { type: "git", url: "https://host.x/u/r", host: "host.x", path: "u/r", isPinned: false },
    ],
    ["host.x/u/r", { type: "local", path: "/base/host.x/u/r" }],
    ["./p", { type: "local", path: "/base/p" }],
    ["/p", { type: "local", path: "/p" }],
    ["~/p", { type: "local", path: join(homedir(), "p") }],
  ])("%s", (source, expected) => {
    expect(parse(source)).toEqual(expected);
    expect(isRemoteSource(source)).toBe((expected as { type: string }).type !== "local");
  });

  it.each([
    "git:host.x/r",
    "git:host.x/../r",
    "git:host.x/u/..",
    "https://host.x/r",
    "git:host.x/u\\r/x",
    "git:",
    "git:-x/u/r",
    "git:h/u/r@-x",
  ])("%s leads nowhere", (source) => {
    expect(() => parse(source)).toThrow("Invalid git source");
  });

  it.each(["npm:", "npm:../x", "npm:@s", "npm:a b", "npm:@s/../p"])("%s is no package", (source) => {
    expect(() => parse(source)).toThrow("Invalid npm package name");
  });

  it.each([
    [["npm:a", "npm:a@1.0.0"], true],
    [["git:h.x/u/r", "https://h.x/u/r.git@v2"], true],
    [["git:h.x/u/r", "git:h.x/u/s"], false],
    [["/link", "/real"], true],
  ])("%j are one package: %s", ([first = "", second = ""], expected) => {
    const identity = (source: string) => packageIdentity(parse(source), (path) => path.replace("link", "real"));
    expect(identity(first) === identity(second)).toBe(expected);
  });
});
