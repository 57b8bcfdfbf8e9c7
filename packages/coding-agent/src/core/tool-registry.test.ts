import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "./extensions/types.js";
import { selectTools, type ToolSelection, unmatchedNames } from "./tool-registry.js";
import { allToolNames, defaultToolNames } from "./tools/index.js";

const tool = (name: string, label = name) => ({ name, label }) as ToolDefinition;
const builtin = allToolNames.map((name) => tool(name));
const active = (selection: ToolSelection, custom: string[] = []) =>
  selectTools(
    { builtin, extensions: [], custom: custom.map((name) => tool(name)) },
    defaultToolNames,
    selection,
  ).active.join(" ");

describe("tool selection (cli-and-config.md sections 1.3, 7.1)", () => {
  it.each<[ToolSelection, string]>([
    [{}, "read bash edit write"],
    [{ tools: ["read", "ls"] }, "read ls"],
    [{ tools: ["ls", "read"] }, "ls read"],
    [{ tools: ["*"] }, "read bash edit write grep find ls"],
    [{ tools: ["unknown"] }, ""],
    [{ tools: [] }, ""],
    [{ tools: ["+grep", "-bash"] }, "read edit write grep"],
    [{ excludeTools: ["bash", "e*"] }, "read write"],
    [{ tools: ["read", "bash"], excludeTools: ["bash"] }, "read"],
    [{ noTools: "all" }, ""],
    [{ noTools: "builtin" }, ""],
  ])("%j", (selection, expected) => {
    expect(active(selection)).toBe(expected);
  });

  it("custom tools are active by themselves and take the place of built-in ones", () => {
    expect(active({}, ["deploy"])).toBe("read bash edit write deploy");
    expect(active({ noTools: "builtin" }, ["deploy"])).toBe("deploy");
    const { definitions } = selectTools(
      { builtin, extensions: [], custom: [tool("read", "mine")] },
      defaultToolNames,
      {},
    );
    expect(definitions.get("read")?.label).toBe("mine");
  });

  it("names and changes do not mix", () => {
    expect(() => active({ tools: ["read", "+ls"] })).toThrow(/cannot be mixed/);
  });
});

describe("unmatchedNames", () => {
  it.each([
    [["read", "+bash", "-ls"], []],
    [
      ["read", "raed", "*s", "x*", "+foo", "-bar"],
      ["raed", "x*", "+foo", "-bar"],
    ],
    [["foo", "foo"], ["foo"]],
    [[], []],
  ])("of %j: %j", (entries, unmatched) => {
    expect(unmatchedNames(entries, allToolNames)).toEqual(unmatched);
  });
});
