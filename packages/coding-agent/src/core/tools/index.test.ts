import { describe, expect, it, vi } from "vitest";

const loaded = vi.hoisted(() => [] as string[]);
vi.mock("diff", () => ({ loaded: loaded.push("diff") }));
vi.mock("typebox", () => ({ loaded: loaded.push("typebox") }));
vi.mock("@vscode/ripgrep", () => ({ loaded: loaded.push("@vscode/ripgrep") }));
vi.mock("@silvia-odwyer/photon-node", () => ({ loaded: loaded.push("@silvia-odwyer/photon-node") }));

import {
  allToolNames,
  createAllToolDefinitions,
  createAllTools,
  createCodingTools,
  createReadOnlyTools,
  createTool,
} from "./index.js";

const definitions = createAllToolDefinitions("/w");

describe("the seven tools", () => {
  it("exist under their names, in order", () => {
    expect(Object.keys(definitions)).toEqual([...allToolNames]);
    expect(createCodingTools("/w").map(({ name }) => name)).toEqual(["read", "bash", "edit", "write"]);
    expect(createReadOnlyTools("/w").map(({ name }) => name)).toEqual(["read", "grep", "find", "ls"]);
    expect(createTool("ls", "/w").name).toBe("ls");
    expect(() => createTool("toString", "/w")).toThrow("Unknown tool name: toString");
  });

  it.each(Object.values(definitions))("$name: a plain object with label, description, schema and snippet", (tool) => {
    expect(Object.getPrototypeOf(tool)).toBe(Object.prototype);
    expect(Object.keys(tool)).toEqual(
      expect.arrayContaining(["name", "label", "description", "parameters", "execute"]),
    );
    expect(tool.label).toBe(tool.name);
    expect(tool.description.length).toBeGreaterThan(80);
    expect(tool.description).toBe(tool.description.trim());
    expect(tool.promptSnippet).toMatch(/^[^\n]+$/);
    const schema = JSON.parse(JSON.stringify(tool.parameters));
    expect(schema.type).toBe("object");
    for (const name of schema.required ?? []) expect(schema.properties).toHaveProperty(name);
    for (const property of Object.values(schema.properties)) expect(property).toHaveProperty("description");
  });

  it("constrains sampling of the four that change or run things, and reads", () => {
    const constrained = Object.values(definitions).filter((tool) => tool.constrainedSampling);
    expect(constrained.map(({ name }) => name)).toEqual(["read", "bash", "edit", "write"]);
    for (const tool of constrained) expect(tool.constrainedSampling).toEqual({ type: "json_schema", strict: "prefer" });
  });

  it("shows models patterns that are patterns", () => {
    const shown = definitions.find.description.match(/"[^"]*\.ts"/g);
    expect(shown).toEqual(['"*.ts"', '"src/**/*.test.ts"']);
  });

  it("gives guidelines where the prompt needs them", () => {
    const counts = Object.fromEntries(
      Object.values(definitions).map((tool) => [tool.name, tool.promptGuidelines?.length ?? 0]),
    );
    expect(counts).toEqual({ read: 1, bash: 1, edit: 2, write: 1, grep: 0, find: 0, ls: 0 });
  });

  it("keeps prompt fields out of agent tools, but for bash", () => {
    const tools = createAllTools("/w");
    expect(
      Object.values(tools)
        .filter((tool) => "promptSnippet" in tool)
        .map(({ name }) => name),
    ).toEqual(["bash"]);
  });

  it("loads nothing heavy and is built in a moment", () => {
    const started = performance.now();
    for (let i = 0; i < 100; i++) createAllToolDefinitions("/w");
    expect((performance.now() - started) / 100).toBeLessThan(1);
    expect(loaded).toEqual([]);
  });
});
