import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentTool, runToolCall } from "@earendil-works/pi-agent-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCodingTools, createFindTool, createGrepTool, createLsTool } from "./index.js";

let dir: string;
let tools: AgentTool[];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "careless-test-"));
  tools = [...createCodingTools(dir), createGrepTool(dir), createFindTool(dir), createLsTool(dir)] as AgentTool[];
  writeFileSync(join(dir, "a.txt"), "one\ntwo\n");
  mkdirSync(join(dir, "d"));
  writeFileSync(join(dir, "huge"), "");
  truncateSync(join(dir, "huge"), 300 * 1024 * 1024);
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** What the model is told, through the whole pipeline. */
async function call(name: string, args: unknown) {
  const toolCall = { type: "toolCall", id: "1", name, arguments: args } as Parameters<typeof runToolCall>[0];
  const assistantMessage = { role: "assistant", content: [toolCall] } as unknown as Parameters<
    typeof runToolCall
  >[1]["assistantMessage"];
  const { result, isError } = await runToolCall(toolCall, {
    tools,
    assistantMessage,
    context: { messages: [], tools },
  });
  const [block] = result.content;
  return { isError, text: block?.type === "text" ? block.text.replaceAll(dir, "<dir>") : "" };
}

const nul = "Invalid path: it contains a NUL character: a\\0b";
const tooLong = "Pattern is too long: 70000 bytes, at most 65536";

describe("careless arguments", () => {
  it.each<[string, unknown, string]>([
    ["read", null, "root: expected object, got null"],
    ["read", [], "root: expected object, got array"],
    ["read", {}, "path: missing"],
    ["read", { path: ["a.txt"] }, "path: expected string, got array"],
    ["read", { path: "a.txt", offset: "x" }, "offset: expected number, got string"],
    ["bash", { command: ["ls"] }, "command: expected string, got array"],
    ["edit", { path: "a.txt" }, "edits: missing"],
    ["edit", { path: "a.txt", edits: [null] }, "edits.0: expected object, got null"],
    ["edit", { path: "a.txt", edits: "nonsense" }, "edits.0: expected object, got string"],
    ["edit", { path: "a.txt", edits: [{ oldText: "one" }] }, "edits.0.newText: missing"],
    ["write", { path: "w", content: { a: 1 } }, "content: expected string, got object"],
    ["grep", { pattern: "x", ignoreCase: "perhaps" }, "ignoreCase: expected boolean, got string"],
    ["find", { pattern: "x", limit: [] }, "limit: expected number, got array"],
  ])("%s %j: refused, and why", async (name, args, why) => {
    const { isError, text } = await call(name, args);
    expect(isError).toBe(true);
    expect(text).toContain(`Validation failed for tool "${name}":\n  - ${why}`);
  });

  it.each<[string, unknown, string]>([
    ["read", { path: "a.txt", offset: "2", limit: null }, "two\n"],
    ["read", { path: "a.txt", limit: -5 }, "one\n\n[2 more lines in file. Use offset=2 to continue.]"],
    ["bash", { command: "echo hi", timeout: "5" }, "hi\n"],
    ["bash", { command: " " }, "(no output)"],
    ["grep", { pattern: "one", limit: "0", literal: "true" }, "a.txt:1: one"],
    ["grep", { pattern: "-e" }, "No matches found"],
    ["find", { pattern: "a*", limit: -1, path: null }, "a.txt"],
    ["ls", { limit: "1" }, "a.txt\n\n[1 entries limit reached. Use limit=2 for more]"],
  ])("%s %j: understood", async (name, args, text) => {
    expect(await call(name, args)).toEqual({ isError: false, text });
  });

  it.each<[string, unknown, string]>([
    ["read", { path: "a\0b" }, nul],
    ["write", { path: "a\0b", content: "" }, nul],
    ["edit", { path: "a\0b", edits: [{ oldText: "x", newText: "y" }] }, nul],
    ["grep", { path: "a\0b", pattern: "x" }, nul],
    ["find", { path: "a\0b", pattern: "x" }, nul],
    ["ls", { path: "a\0b" }, nul],
    ["bash", { command: "echo a\0b" }, "Invalid command: it contains a NUL character, which no shell takes."],
    ["write", { path: "d/", content: "x" }, "EISDIR: illegal operation on a directory, open '<dir>/d'"],
    ["write", { path: "new/", content: "x" }, "EISDIR: illegal operation on a directory, open '<dir>/new'"],
    [
      "edit",
      { path: "huge", edits: [{ oldText: "x", newText: "y" }] },
      "Could not edit file: <dir>/huge. It is too large (300.0MB, at most 256.0MB). Change it with bash, e.g. with sed.",
    ],
    ["find", { pattern: "" }, 'Pattern is empty. Use "*" to find everything.'],
    ["find", { pattern: "x".repeat(70_000) }, tooLong],
    ["grep", { pattern: "x".repeat(70_000) }, tooLong],
    ["grep", { pattern: "x", glob: "x".repeat(70_000) }, tooLong],
  ])("%s %.80j: says what is wrong", async (name, args, why) => {
    const { isError, text } = await call(name, args);
    expect(isError).toBe(true);
    expect(text.slice(0, why.length)).toBe(why);
    expect(readdirSync(dir).sort()).toEqual(["a.txt", "d", "huge"]);
  });

  it.each<[string, unknown, string]>([
    ["read", undefined, "root: expected object, got undefined"],
    ["read", {}, "path: missing"],
    ["read", { path: 5 }, "path: expected string, got number"],
    ["bash", {}, "command: missing"],
    ["write", { path: "w" }, "content: missing"],
    ["write", { path: null, content: "x" }, "path: expected string, got null"],
    ["edit", { edits: [{ oldText: "a", newText: "b" }] }, "path: missing"],
    ["edit", { path: "a.txt", edits: [null] }, "edits.0: expected object, got null"],
    ["edit", { path: "a.txt", edits: [{ oldText: "one" }] }, "edits.0.newText: missing"],
    ["grep", {}, "pattern: missing"],
    ["find", { pattern: [] }, "pattern: expected string, got array"],
    ["ls", null, "root: expected object, got null"],
  ])("%s %j: refused also when a program calls the tool itself", async (name, args, why) => {
    const tool = tools.find((candidate) => candidate.name === name);
    const run = async () => tool?.execute("1", args);
    await expect(run()).rejects.toThrow(`Validation failed for tool "${name}":\n  - ${why}`);
    expect(readdirSync(dir).sort()).toEqual(["a.txt", "d", "huge"]);
  });

  it("long patterns are not repeated in full", async () => {
    const { isError, text } = await call("grep", { pattern: `${"x".repeat(60_000)}(` });
    expect(isError).toBe(true);
    expect(text.length).toBeLessThan(2100);
    expect(text).toMatch(/^rg: regex parse error:[\s\S]* \[\.\.\.\] [\s\S]*unclosed group$/);
  });
});
