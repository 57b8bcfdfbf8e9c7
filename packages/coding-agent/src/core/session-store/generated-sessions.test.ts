import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { forWire } from "../messages.js";
import { SessionManager } from "../session-manager.js";
import type { FileEntry, SessionTreeNode } from "./entries.js";

type Json = Record<string, unknown>;
type Line = { entry: Json; text: string };

const dir = mkdtempSync(join(tmpdir(), "pi-generated-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, "s.jsonl");
const header = { type: "session", version: 3, id: "s", timestamp: "2026-11-30T08:00:00.000Z", cwd: "/" };

// ---- what sessions are made of ---------------------------------------------------------------------------------------

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '"usage":{"input":5}',
    '{"type":"toolCall"}',
    '\\"}}',
    "naïve — 語 😀",
    '"timestamp":1}}',
    "a\nb\u2028c",
  ),
  fc.string({ unit: "binary", maxLength: 80 }),
);
const amount = fc.oneof(fc.nat(5000), fc.constantFrom(0.25, 1e21, -1));
const usage = fc.oneof(
  fc.record({
    input: amount,
    output: amount,
    cacheRead: amount,
    cacheWrite: amount,
    totalTokens: amount,
    cost: fc.record({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, total: amount }),
  }),
  fc.record({ input: amount, cost: fc.record({ total: amount }) }, { requiredKeys: [] }),
  fc.constantFrom(null, 5, "x", [], { input: "5", cost: 3 }),
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("thinking"), thinking: text }),
  fc.record({
    type: fc.constant("toolCall"),
    id: fc.constantFrom("c1", "c2"),
    name: fc.constant("read"),
    arguments: fc.constantFrom<unknown>({}, { path: "x" }, { type: "toolCall", nested: [{ type: "toolCall" }] }, 5),
  }),
  fc.constantFrom<unknown>(null, 5, { type: "text" }, { type: "later", x: 1 }),
);
const content = fc.oneof(fc.array(block, { maxLength: 3 }), text, fc.constantFrom<unknown>(null, 5, undefined));
const timestamp = fc.oneof(fc.constant(1796027252907), fc.constantFrom<unknown>(undefined, "x"));
const message = fc.oneof(
  fc.record({ role: fc.constant("user"), content, timestamp }),
  fc.record({ role: fc.constant("system"), content: text, timestamp }),
  fc.record({
    role: fc.constant("assistant"),
    content,
    api: fc.constant("x"),
    provider: fc.constantFrom<unknown>("m", 5, undefined),
    model: fc.constantFrom("m1", "m2"),
    usage,
    stopReason: fc.constantFrom("stop", "toolUse", "odd"),
    timestamp,
  }),
  fc.record(
    {
      role: fc.constant("toolResult"),
      toolCallId: fc.constantFrom<unknown>("c1", 5),
      toolName: fc.constant("read"),
      content,
      usage,
      isError: fc.boolean(),
      timestamp,
    },
    { requiredKeys: ["role", "content"] },
  ),
  fc.record(
    {
      role: fc.constant("bashExecution"),
      command: text,
      output: text,
      exitCode: fc.constantFrom<unknown>(0, null, "1"),
      fullOutputPath: fc.constantFrom<unknown>("/tmp/out", null, 7, {}),
      timestamp,
    },
    { requiredKeys: ["role", "command", "output", "timestamp"] },
  ),
  fc.constantFrom<unknown>(null, 5, { role: 7 }, { role: "later", x: 1 }, {}),
);
const body: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("message"), message }) },
  fc.record({ type: fc.constant("model_change"), provider: fc.constantFrom<unknown>("m", 1), modelId: text }),
  fc.record({ type: fc.constant("thinking_level_change"), thinkingLevel: fc.constantFrom<unknown>("low", "high", 3) }),
  fc.record({ type: fc.constant("usage"), kind: text, provider: text, model: text, usage }),
  fc.record({
    type: fc.constant("compaction"),
    summary: text,
    firstKeptEntryId: fc.nat(30).map(String),
    tokensBefore: fc.nat(),
    usage,
    systemMessage: fc.constantFrom<unknown>(undefined, { role: "system", content: "again", timestamp: 1 }),
  }),
  fc.record({ type: fc.constant("branch_summary"), fromId: text, summary: text, usage }),
  fc.record({ type: fc.constant("custom"), customType: text, data: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ type: fc.constant("custom_message"), customType: text, content, display: fc.boolean() }),
  fc.record({
    type: fc.constant("context_edit"),
    targetId: fc.nat(30).map(String),
    replacement: fc.constantFrom<unknown>(null, { content: "edited" }, { content: [] }, {}),
  }),
  fc.record({
    type: fc.constant("label"),
    targetId: fc.nat(30).map(String),
    label: fc.constantFrom("l", "", undefined),
  }),
  fc.record({ type: fc.constant("session_info"), name: text }),
  fc.record({ type: fc.constantFrom<unknown>("future", 5, null), message, usage }),
);

/** As the usual writer does it, in another order of members, or with white space and escaped names. */
const styles = [
  (entry: Json) => JSON.stringify(entry),
  (entry: Json) => JSON.stringify(Object.fromEntries(Object.entries(entry).reverse())),
  (entry: Json) => JSON.stringify({ 7: {}, ...entry }),
  (entry: Json) => JSON.stringify({ ...entry, extra: { message: { role: "user" } } }),
  (entry: Json) => `  ${JSON.stringify(entry, null, 1).replaceAll("\n", " ")}\r`,
  (entry: Json) => JSON.stringify(entry).replace('"message":', '"messag\\u0065":').replace('"id":', '"\\u0069d":'),
];

/** `parent`: distance back, 0 = a root; names a later or missing entry now and then. */
const step = fc.record({
  body,
  parent: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.constantFrom(0, 1, 2, 3, -1, -2, 99)),
  isSameId: fc.integer({ min: 0, max: 25 }).map((value) => value === 0),
  seconds: fc.integer({ min: -2, max: 5 }),
  style: fc.nat(styles.length - 1).map((style) => styles[style] ?? JSON.stringify),
  before: fc.oneof(
    { weight: 8, arbitrary: fc.constant("") },
    fc.constantFrom("\n", '{"torn":[1,\n', "not json\n", "[1]\n", "{}\n"),
  ),
});

const session = fc.array(step, { maxLength: 30 }).map((steps) => {
  let time = Date.parse(header.timestamp);
  let text = `${JSON.stringify(header)}\n`;
  const lines: Line[] = steps.map(({ body: { type, ...rest }, parent, isSameId, seconds, style, before }, index) => {
    time += seconds * 1000;
    const parentId = parent === 0 ? null : String(index - parent);
    const id = String(isSameId ? Math.max(0, index - 1) : index);
    const entry = { type, id, parentId, timestamp: new Date(time).toISOString(), ...rest };
    const line = style(entry);
    text += `${before}${line}\n`;
    return { entry: JSON.parse(line) as Json, text: line };
  });
  return { text, entries: lines.map(({ entry }) => entry) };
});

// ---- the slow model --------------------------------------------------------------------------------------------------

/** Entries with the parents they end up with. */
function modelOf(all: readonly Json[]): Json[] {
  const entries: Json[] = [];
  for (const entry of all) if (!entries.some(({ id }) => id === entry["id"])) entries.push({ ...entry });
  const find = (id: unknown) => entries.find((entry) => entry["id"] === id);
  for (const [index, entry] of entries.entries()) {
    if (entry["parentId"] === entry["id"]) entry["parentId"] = null;
    else if (entry["parentId"] !== null && !find(entry["parentId"])) {
      entry["parentId"] = entries[index - 1]?.["id"] ?? null;
    }
  }
  for (const [index, entry] of entries.entries()) {
    const isLater = entries.findIndex(({ id }) => id === entry["parentId"]) > index;
    const seen = new Set<unknown>();
    let at: Json | undefined = entry;
    for (; at && !seen.has(at); at = find(at["parentId"])) seen.add(at);
    if (isLater && at === entry) entry["parentId"] = null;
  }
  return entries;
}

function pathOf(entries: readonly Json[], leaf: unknown): Json[] {
  const entry = entries.find(({ id }) => id === leaf);
  return entry ? [...pathOf(entries, entry["parentId"]), entry] : [];
}

function contextEntriesOf(path: Json[]): Json[] {
  const at = path.findLastIndex(({ type }) => type === "compaction");
  const compaction = path[at];
  if (!compaction) return path;
  const from = path.findIndex(({ id }) => id === compaction["firstKeptEntryId"]);
  const kept = from < 0 || from >= at ? [] : path.slice(from, at);
  const isSystem = (entry: Json) =>
    entry["type"] === "message" && (entry["message"] as Json | null)?.["role"] === "system";
  return [compaction, ...kept.filter((entry) => !isSystem(entry)), ...path.slice(at + 1)];
}

function totalsOf(entries: readonly Json[]) {
  const messages = entries.filter(({ type }) => type === "message").map(({ message }) => (message ?? {}) as Json);
  const byRole = (role: string) => messages.filter((message) => message["role"] === role);
  const usages = [
    ...[...byRole("assistant"), ...byRole("toolResult")].map((message) => message["usage"]),
    ...entries
      .filter(({ type }) => ["usage", "compaction", "branch_summary"].includes(String(type)))
      .map((e) => e["usage"]),
  ].map((value) => (value ?? {}) as Json);
  const sum = (pick: (usage: Json) => unknown) =>
    usages.map(pick).reduce<number>((total, value) => total + (typeof value === "number" ? value : 0), 0);
  const tokens = {
    input: sum((usage) => usage["input"]),
    output: sum((usage) => usage["output"]),
    cacheRead: sum((usage) => usage["cacheRead"]),
    cacheWrite: sum((usage) => usage["cacheWrite"]),
  };
  const calls = byRole("assistant")
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []))
    .filter((block) => block?.["type"] === "toolCall");
  return {
    totalMessages: messages.length,
    userMessages: byRole("user").length,
    assistantMessages: byRole("assistant").length,
    toolResults: byRole("toolResult").length,
    toolCalls: calls.length,
    tokens: { ...tokens, total: tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite },
    cost: sum((usage) => (usage["cost"] as Json | null)?.["total"]),
  };
}

// ---- both beside each other ------------------------------------------------------------------------------------------

const joined = (pieces: Iterable<Buffer>): unknown => JSON.parse(Buffer.concat([...pieces]).toString("utf8"));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function compare(manager: SessionManager, model: readonly Json[]): void {
  expect(manager.getEntries()).toEqual(model);
  expect(joined(manager.entriesJson())).toEqual(model);
  const totals = manager.getStatistics();
  const expected = totalsOf(model);
  // Sums of fractions depend on their order in the last digit.
  expect({ ...totals, tokens: 0, cost: 0 }).toEqual({ ...expected, tokens: 0, cost: 0 });
  for (const name of ["input", "output", "cacheRead", "cacheWrite", "total"] as const) {
    expect(close(totals.tokens[name], expected.tokens[name])).toBe(true);
  }
  expect(close(totals.cost, expected.cost)).toBe(true);

  const leaf = model.at(-1)?.["id"] ?? null;
  expect(manager.getLeafId()).toBe(leaf);
  const path = pathOf(model, leaf);
  expect(manager.getBranch()).toEqual(path);
  expect(manager.buildContextEntries()).toEqual(contextEntriesOf(path));
  const context = manager.buildSessionContext();
  expect(joined(manager.contextMessagesJson())).toEqual(plain(context.messages));
  expect(joined(manager.contextMessagesJson(forWire))).toEqual(plain(context.messages.map(forWire)));
  expect(manager.getContextMessageCount()).toBe(context.messages.length);
  expect(manager.getContextModel()).toEqual(context.model);
  expect(manager.getContextThinkingLevel()).toBe(context.thinkingLevel);
  const level = path.findLast((e) => e["type"] === "thinking_level_change" && typeof e["thinkingLevel"] === "string");
  expect(context.thinkingLevel).toBe(level?.["thinkingLevel"] ?? "off");

  const tree = manager.getTree();
  expect(joined(manager.treeJson())).toEqual(plain(tree));
  const nodes: { node: SessionTreeNode; parent: string | null }[] = tree.map((node) => ({ node, parent: null }));
  for (const { node } of nodes) for (const child of node.children) nodes.push({ node: child, parent: node.entry.id });
  expect(nodes.map(({ node, parent }) => [node.entry.id, parent]).sort()).toEqual(
    model.map(({ id, parentId }) => [id, parentId]).sort(),
  );
  for (const { node } of nodes) {
    const times = node.children.map(({ entry }) => Date.parse(entry.timestamp));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const label = model.findLast((e) => e["type"] === "label" && e["targetId"] === node.entry.id)?.["label"];
    expect(node.label).toBe(label || undefined);
    expect(manager.getLabel(node.entry.id)).toBe(label || undefined);
  }
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(1, Math.abs(a)) * 1e-9;
}

describe("generated sessions", () => {
  it("read from a file as a slow reader reads them", () => {
    fc.assert(
      fc.property(session, ({ text, entries }) => {
        writeFileSync(file, text);
        compare(SessionManager.open(file), modelOf(entries));
      }),
      { numRuns: process.env["PI_SOAK"] ? 5000 : 200 },
    );
  }, 600_000);

  it("are the same in memory", () => {
    fc.assert(
      fc.property(session, ({ entries }) => {
        compare(SessionManager.inMemory("/", {}, [header, ...entries] as FileEntry[]), modelOf(entries));
      }),
      { numRuns: process.env["PI_SOAK"] ? 5000 : 100 },
    );
  }, 600_000);

  it("give the entries behind one, and name one that is missing", () => {
    fc.assert(
      fc.property(session, fc.nat(), ({ text, entries }, choice) => {
        writeFileSync(file, text);
        const manager = SessionManager.open(file);
        const model = modelOf(entries);
        if (model.length === 0) return;
        const at = choice % model.length;
        expect(joined(manager.entriesJson(String(model[at]?.["id"])))).toEqual(model.slice(at + 1));
      }),
      { numRuns: 50 },
    );
    expect(() => SessionManager.inMemory("/").entriesJson("none")).toThrow("Entry not found: none");
  });

  it("are cut at any byte without taking a line with them", () => {
    fc.assert(
      fc.property(session, fc.nat(), ({ text, entries }, choice) => {
        const bytes = Buffer.from(text);
        const first = bytes.indexOf("\n") + 1;
        const end = first + (choice % (bytes.length - first + 1));
        writeFileSync(file, bytes.subarray(0, end));
        const manager = SessionManager.open(file);
        const count = manager.getEntryCount();
        const ids = new Set(entries.map(({ id }) => id));
        for (const entry of manager.getEntries()) expect(ids.has(entry.id)).toBe(true);
        const id = manager.appendCustomEntry("after");
        const again = SessionManager.open(file);
        expect(again.getEntryCount()).toBe(count + 1);
        expect(again.getLeafId()).toBe(id);
        expect(again.getEntries()).toEqual(manager.getEntries());
        manager.close();
        rmSync(
          `${file}.torn-${end - (bytes.subarray(0, end).length - (bytes.subarray(0, end).lastIndexOf(0x0a) + 1))}`,
          {
            force: true,
          },
        );
      }),
      { numRuns: 100 },
    );
  });
});

it("an entry that is its own parent is a root, in a file and in memory", () => {
  const entry = { type: "custom", id: "1", parentId: "1", timestamp: header.timestamp, customType: "x" };
  writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
  for (const manager of [SessionManager.open(file), SessionManager.inMemory("/", {}, [header, entry] as FileEntry[])]) {
    expect(manager.getEntry("1")).toEqual({ ...entry, parentId: null });
  }
});

it("a chain of 100,000 entries: no recursion anywhere", () => {
  const lines = [JSON.stringify(header)];
  for (let at = 0; at < 100_000; at++) {
    const parentId = at === 0 ? null : String(at - 1);
    lines.push(
      JSON.stringify({ type: "custom", id: String(at), parentId, timestamp: header.timestamp, customType: "x" }),
    );
  }
  writeFileSync(file, `${lines.join("\n")}\n`);
  const manager = SessionManager.open(file);
  expect(manager.getBranch()).toHaveLength(100_000);
  let depth = 0;
  for (let [node] = manager.getTree(); node; [node] = node.children) depth++;
  expect(depth).toBe(100_000);
  let length = 0;
  for (const piece of manager.treeJson()) length += piece.length;
  expect(length).toBeGreaterThan(100_000 * 100);
}, 60_000);
