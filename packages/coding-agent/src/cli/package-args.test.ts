import { describe, expect, it } from "vitest";
import { type PackageCommandName, packageUsage, parsePackageCommand } from "./package-args.js";

const usage = (name: PackageCommandName) => `Usage: ${packageUsage(name)}`;

describe("commands for packages", () => {
  it.each<[PackageCommandName, string, string, string]>([
    ["install", "-z x", 'Unknown option -z for "install".', `Use "pi --help" or "${packageUsage("install")}".`],
    ["list", "-l", 'Unknown option -l for "list".', `Use "pi --help" or "${packageUsage("list")}".`],
    ["install", "", "Missing install source.", usage("install")],
    ["remove", "-l", "Missing remove source.", usage("remove")],
    ["install", "x y", "Unexpected argument y.", usage("install")],
    ["list", "x", "Unexpected argument x.", usage("list")],
    ["update", "--extension", "Missing value for --extension.", usage("update")],
    ["update", "--extension a --extension b", "--extension can only be provided once", usage("update")],
    [
      "update",
      "--all --self",
      "--all cannot be combined with --self, --extensions, --models, or --extension",
      usage("update"),
    ],
    [
      "update",
      "--models --extensions",
      "--models cannot be combined with --self, --extensions, --all, or --extension",
      usage("update"),
    ],
    [
      "update",
      "--extension a --self",
      "--extension cannot be combined with --self, --extensions, or --all",
      usage("update"),
    ],
    ["update", "a --all", "--all cannot be combined with a positional source", usage("update")],
    ["update", "a --models", "--models cannot be combined with a positional source", usage("update")],
    ["update", "a --extension b", "--extension cannot be combined with a positional source", usage("update")],
    [
      "update",
      "self --extensions",
      "positional update targets cannot be combined with --self, --extensions, or --all",
      usage("update"),
    ],
  ])("pi %s %s", (name, words, error, advice) => {
    expect(parsePackageCommand(name, words.split(" ").filter(Boolean))).toEqual({ error, advice });
  });

  const plain = { local: false, allowScripts: false, force: false };
  it.each<[PackageCommandName, string, object]>([
    [
      "install",
      "npm:a -l -a",
      { name: "install", source: "npm:a", ...plain, local: true, trustOverride: true, target: "one" },
    ],
    [
      "install",
      "a --allow-scripts -na",
      { name: "install", source: "a", ...plain, allowScripts: true, trustOverride: false, target: "one" },
    ],
    ["update", "", { name: "update", ...plain, target: "self" }],
    ["update", "pi", { name: "update", source: "pi", ...plain, target: "self" }],
    ["update", "--extension pi", { name: "update", source: "pi", ...plain, target: "one" }],
    ["update", "npm:a --force", { name: "update", source: "npm:a", ...plain, force: true, target: "one" }],
    ["update", "--all", { name: "update", ...plain, target: "all" }],
    ["list", "", { name: "list", ...plain, target: "self" }],
  ])("pi %s %s is understood", (name, words, command) => {
    expect(parsePackageCommand(name, words.split(" ").filter(Boolean))).toEqual({ command });
  });

  it("help comes before mistakes that follow it", () => {
    expect(parsePackageCommand("install", ["-h", "-z"])).toEqual({ usage: "install" });
  });
});

it.each(["install", "remove", "update"] as const)("%s of a variable that is not set is of nothing", (name) => {
  for (const word of ["", " "]) {
    expect(parsePackageCommand(name, [word])).toEqual({ error: `Missing ${name} source.`, advice: usage(name) });
  }
});
