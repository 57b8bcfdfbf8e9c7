/**
 * Replays lists of commands against a scripted model and compares every record with the recorded trace. One file in
 * `traces/` is one trace; `PI_UPDATE_TRACES=1` writes what was seen into files that have no records yet.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScriptedTurn } from "@pi/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { PiFixture } from "./pi.js";
import type { AnyRecord } from "./rpc-process.js";

interface Trace {
  title: string;
  /** Where the order of records is written down. */
  source: string;
  settings?: object;
  /** Merged into the model's entry in models.json. */
  model?: object;
  args?: string[];
  script: ScriptedTurn[];
  steps: ({ send: AnyRecord } | { until: AnyRecord; after?: number })[];
  records?: AnyRecord[];
}

/** Different in every run, or as long as the system prompt. */
const VOLATILE = new Set([
  "timestamp",
  "durationMs",
  "responseId",
  "usage",
  "sections",
  "toolsAdded",
  "estimatedTokensAfter",
  "tokensBefore",
  "wall_time_seconds",
]);
/** Ids that are made up: alike ids stay alike. */
const GENERATED = new Set(["id", "parentId", "targetId", "firstKeptEntryId", "sessionId"]);

const dir = fileURLToPath(new URL("./traces/", import.meta.url));
let fixture: PiFixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

describe("recorded traces", () => {
  for (const name of readdirSync(dir).sort()) {
    const path = join(dir, name);
    const trace: Trace = JSON.parse(readFileSync(path, "utf8"));
    it(`${trace.title} (${trace.source})`, async () => {
      const seen = normalised(await replay(trace));
      if (!trace.records && process.env["PI_UPDATE_TRACES"]) {
        writeFileSync(path, `${JSON.stringify({ ...trace, records: seen }, null, 2)}\n`);
      } else expect(seen).toEqual(trace.records);
    });
  }
});

async function replay({ settings = {}, model, args = ["--no-session"], script, steps }: Trace): Promise<AnyRecord[]> {
  fixture = await PiFixture.start(script);
  fixture.configure("settings.json", JSON.stringify(settings));
  if (model) fixture.configureModel(model);
  const rpc = fixture.rpc(args);
  let from = 0;
  for (const step of steps) {
    if ("send" in step) {
      from = rpc.records.length;
      rpc.send(step.send);
    } else await rpc.until((record) => contains(record, step.until), JSON.stringify(step.until), from);
  }
  expect(rpc.garbage).toEqual([]);
  return rpc.records;
}

/** Whether `record` has everything that `part` has. */
function contains(record: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return record === part;
  if (typeof record !== "object" || record === null) return false;
  return Object.entries(part).every(([key, value]) => contains((record as AnyRecord)[key], value));
}

/** The records without what differs from run to run; null is as good as absent. */
function normalised(records: AnyRecord[]): AnyRecord[] {
  const names = new Map<string, string>();
  const visit = (value: unknown, key: string): unknown => {
    if (VOLATILE.has(key)) return `<${key}>`;
    if (GENERATED.has(key) && typeof value === "string" && /^[0-9a-f]{8}(?:-[0-9a-f-]+)?$/.test(value)) {
      if (!names.has(value)) names.set(value, `<id ${names.size + 1}>`);
      return names.get(value);
    }
    if (typeof value === "string")
      return value.replace(/req_[0-9a-z]+/g, "<request>").replace(/127\.0\.0\.1:\d+/g, "<server>");
    if (Array.isArray(value)) return value.map((item) => visit(item, ""));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(entries.map(([name, member]) => [name, visit(member, name)]));
  };
  return records.map((record) => visit(record, "") as AnyRecord);
}
