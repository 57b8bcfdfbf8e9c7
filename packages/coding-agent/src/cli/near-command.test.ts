import { describe, expect, it } from "vitest";
import { nearCommand } from "./near-command.js";

describe("nearCommand", () => {
  it.each<[string, string | undefined]>([
    ["instal npm:x", "install"],
    ["isntall npm:x -l", "install"],
    ["Install npm:x", "install"],
    ["uninstal npm:x", "remove"],
    ["remvoe npm:x", "remove"],
    ["lsit", "list"],
    ["updaet --extension npm:x", "update"],
    ["ath login", "auth"],
    ["auht", "auth"],
    ["mpc", "mcp"],
    // What the program knows is no near miss.
    ["install npm:x", undefined],
    ["list", undefined],
    // Prompts.
    ["lint src", undefined],
    ["auto fix", undefined],
    ["explain", undefined],
    ["map", undefined],
    ["mcps", undefined],
    ["mpc x", undefined],
    ["hello", undefined],
    ["updates the docs", undefined],
    ["list. them", undefined],
    ["lsit --model x", undefined],
    ["instal a b", undefined],
    ["-p lsit", undefined],
    ["", undefined],
  ])("%s -> %s", (words, name) => {
    expect(nearCommand(words.split(" "))?.name).toBe(name);
  });

  it("a sentence is a prompt", () => {
    expect(nearCommand(["lsit the files"])).toBeUndefined();
  });
});
