import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSyntheticSourceInfo } from "../../resources/source-info.js";
import { emptyExtension } from "../extension-api.js";
import type { ExtensionEventName } from "../types/event-map.js";
import type { Extension, ExtensionError } from "../types/host.js";
import { Dispatcher } from "./dispatch.js";

/** A handler of the model: answers, or throws. */
type Behaviour = { answer?: unknown; throws?: string };

/** Extensions with one handler each; what they saw is kept. */
async function ask(event: { type: ExtensionEventName }, behaviours: readonly Behaviour[]) {
  const asked: number[] = [];
  const snapshots: string[] = [];
  const errors: ExtensionError[] = [];
  const extensions: Extension[] = behaviours.map(({ answer, throws }, index) => {
    const path = `/e${index}.ts`;
    const extension = emptyExtension(path, path, createSyntheticSourceInfo(path, { source: "test" }));
    extension.handlers.set(event.type, [
      (given: unknown) => {
        asked.push(index);
        snapshots.push(JSON.stringify(given));
        if (throws !== undefined) throw new Error(throws);
        return index % 2 === 0 ? answer : Promise.resolve(answer);
      },
    ]);
    return extension;
  });
  const dispatcher = new Dispatcher({
    extensions,
    context: () => ({}),
    signal: () => undefined,
    isPrompting: () => false,
    report: (error) => errors.push(error),
  });
  const sum: unknown = await dispatcher.emit(event as never);
  return { sum, asked, snapshots, errors, event: event as Record<string, unknown> };
}

const text = fc.string({ maxLength: 4 });
const none = fc.constant<Behaviour>({});
const thrown: fc.Arbitrary<Behaviour> = fc.record({ throws: text });
const answers = (answer: fc.Arbitrary<unknown>) =>
  fc.array(fc.oneof({ weight: 4, arbitrary: answer.map((value): Behaviour => ({ answer: value })) }, none, thrown), {
    maxLength: 6,
  });
const given = (behaviours: readonly Behaviour[]) =>
  behaviours.filter((one) => one.answer !== undefined && one.throws === undefined);
const values = <T>(behaviours: readonly Behaviour[]) => given(behaviours).map(({ answer }) => answer as T);

describe("answers of several extensions, against a model of the merge table", () => {
  it.each(["session_before_switch", "session_before_fork", "session_before_compact", "session_before_tree"] as const)(
    "%s: a cancellation ends it, else the last answer counts",
    async (type) => {
      const behaviour = answers(fc.record({ cancel: fc.boolean(), mark: text }));
      await fc.assert(
        fc.asyncProperty(behaviour, async (behaviours) => {
          const { sum, asked } = await ask({ type }, behaviours);
          const all = values<{ cancel: boolean }>(behaviours);
          expect(sum).toEqual(all.find(({ cancel }) => cancel) ?? all.at(-1));
          const stop = behaviours.findIndex(
            (one) => one.throws === undefined && (one.answer as { cancel?: boolean } | undefined)?.cancel === true,
          );
          expect(asked).toHaveLength(stop < 0 ? behaviours.length : stop + 1);
        }),
      );
    },
  );

  it("resources_discover: all paths, in order", async () => {
    const paths = fc.array(text, { maxLength: 2 });
    const result = fc.record({ skillPaths: paths, promptPaths: paths, themePaths: paths }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(answers(result), async (behaviours) => {
        const { sum } = await ask({ type: "resources_discover" }, behaviours);
        const all = values<Record<string, string[]>>(behaviours);
        const joined = (key: string) => all.flatMap((one) => one[key] ?? []);
        expect(sum).toEqual(
          all.length === 0
            ? undefined
            : {
                skillPaths: joined("skillPaths"),
                promptPaths: joined("promptPaths"),
                themePaths: joined("themePaths"),
              },
        );
      }),
    );
  });

  it("input: texts are handed on, `handled` ends it", async () => {
    const result = fc.oneof(
      fc.constant({ action: "continue" }),
      fc.record({ action: fc.constant("transform"), text }),
      fc.record({
        action: fc.constant("transform"),
        text,
        images: fc.array(fc.constant({ type: "image" }), { maxLength: 1 }),
      }),
      fc.constant({ action: "handled" }),
    );
    await fc.assert(
      fc.asyncProperty(answers(result), async (behaviours) => {
        const { sum, snapshots } = await ask({ type: "input", text: "t", images: [] } as never, behaviours);
        let state = { text: "t", images: [] as unknown[] };
        let expected: unknown;
        const seen: string[] = [];
        for (const { answer, throws } of behaviours) {
          seen.push(JSON.stringify({ type: "input", ...state }));
          const one = answer as { action: string; text?: string; images?: unknown[] } | undefined;
          if (throws !== undefined || !one || one.action === "continue") continue;
          if (one.action === "handled") {
            expected = one;
            break;
          }
          state = { text: one.text ?? "", images: one.images ?? state.images };
          expected = { action: "transform", ...state };
        }
        expect(sum).toEqual(expected);
        expect(snapshots).toEqual(seen);
      }),
    );
  });

  it("before_agent_start: every message, the last system prompt", async () => {
    const result = fc.record(
      { message: fc.record({ customType: text, content: text }), systemPrompt: text },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(answers(result), async (behaviours) => {
        const { sum } = await ask({ type: "before_agent_start", systemPromptOptions: {} } as never, behaviours);
        const all = values<{ message?: unknown; systemPrompt?: string }>(behaviours);
        const prompts = all.flatMap(({ systemPrompt }) => (systemPrompt === undefined ? [] : [systemPrompt]));
        expect(sum).toEqual(
          all.length === 0
            ? undefined
            : {
                messages: all.flatMap(({ message }) => message ?? []),
                ...(prompts.length > 0 && { systemPrompt: prompts.at(-1) }),
              },
        );
      }),
    );
  });

  it.each(["context", "context_with_system"] as const)("%s: conversations are handed on", async (type) => {
    const messages = fc.array(fc.record({ role: fc.constant("user"), content: text }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(answers(fc.record({ messages }, { requiredKeys: [] })), async (behaviours) => {
        const { event } = await ask({ type, messages: [] } as never, behaviours);
        const lists = values<{ messages?: unknown[] }>(behaviours).flatMap((one) =>
          one.messages ? [one.messages] : [],
        );
        expect(event["messages"]).toEqual(lists.at(-1) ?? []);
      }),
    );
  });

  it("before_provider_request: anything but undefined is handed on", async () => {
    await fc.assert(
      fc.asyncProperty(answers(fc.jsonValue()), async (behaviours) => {
        const { event } = await ask({ type: "before_provider_request", payload: "first" } as never, behaviours);
        expect(event["payload"]).toEqual(values(behaviours).length === 0 ? "first" : values(behaviours).at(-1));
      }),
    );
  });

  it("message_end: messages of the same role are handed on, others are told", async () => {
    const message = fc.record({ role: fc.constantFrom("user", "assistant"), content: text });
    await fc.assert(
      fc.asyncProperty(answers(fc.record({ message }, { requiredKeys: [] })), async (behaviours) => {
        const { event, errors } = await ask(
          { type: "message_end", message: { role: "user", content: "m" } } as never,
          behaviours,
        );
        const all = values<{ message?: { role: string } }>(behaviours).flatMap((one) => one.message ?? []);
        const same = all.filter(({ role }) => role === "user");
        expect(event["message"]).toEqual(same.at(-1) ?? { role: "user", content: "m" });
        expect(errors.filter(({ error }) => error.includes("same role"))).toHaveLength(all.length - same.length);
      }),
    );
  });

  it.each(["turn_end", "agent_before_settle"] as const)("%s: a field that is given replaces it", async (type) => {
    const result = fc.record(
      { entries: fc.array(text, { maxLength: 2 }), continue: fc.boolean() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(answers(result), async (behaviours) => {
        const { event } = await ask({ type, entries: [], continue: false } as never, behaviours);
        const all = values<{ entries?: string[]; continue?: boolean }>(behaviours);
        expect(event["entries"]).toEqual(all.flatMap((one) => (one.entries ? [one.entries] : [])).at(-1) ?? []);
        expect(event["continue"]).toBe(all.flatMap((one) => one.continue ?? []).at(-1) ?? false);
      }),
    );
  });

  it("tool_call: the first block or throw ends it", async () => {
    const behaviour = answers(fc.record({ block: fc.boolean(), reason: text }));
    await fc.assert(
      fc.asyncProperty(behaviour, async (behaviours) => {
        const { sum, asked } = await ask({ type: "tool_call", input: {} } as never, behaviours);
        const stops = (one: Behaviour) =>
          one.throws !== undefined || (one.answer as { block?: boolean } | undefined)?.block === true;
        const stop = behaviours.findIndex(stops);
        const decisive = behaviours[stop];
        const expected =
          decisive?.throws !== undefined
            ? { block: true, reason: decisive.throws }
            : (decisive?.answer ?? values(behaviours).at(-1));
        expect(sum).toEqual(expected);
        expect(asked).toHaveLength(stop < 0 ? behaviours.length : stop + 1);
      }),
    );
  });

  it("tool_result: patches add up, field by field", async () => {
    const patch = fc.record(
      {
        content: fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 2 }),
        details: text,
        isError: fc.boolean(),
        structuredContent: text,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(answers(patch), async (behaviours) => {
        const start = { content: [], details: "d", isError: false, structuredContent: "s" };
        const { event } = await ask({ type: "tool_result", ...start } as never, behaviours);
        let expected: Record<string, unknown> = { ...start };
        for (const one of values<Record<string, unknown>>(behaviours)) {
          const drops = one["content"] !== undefined && one["structuredContent"] === undefined;
          expected = { ...expected, ...one, ...(drops && { structuredContent: undefined }) };
        }
        expect(event).toEqual({ type: "tool_result", ...expected });
      }),
    );
  });

  it("user_bash: the first answer or throw decides", async () => {
    const result = fc.oneof(
      fc.record({ result: fc.record({ output: text }) }),
      fc.constant({ operations: { exec: async () => ({ exitCode: 0 }) } }),
      fc.constant({}),
    );
    await fc.assert(
      fc.asyncProperty(answers(result), async (behaviours) => {
        const { sum, asked } = await ask({ type: "user_bash" }, behaviours);
        const first = behaviours.findIndex((one) => one.answer !== undefined || one.throws !== undefined);
        const decisive = behaviours[first];
        const isSound = decisive?.throws === undefined && Object.keys(decisive?.answer ?? {}).length === 1;
        expect(asked).toHaveLength(first < 0 ? behaviours.length : first + 1);
        if (!decisive) expect(sum).toBeUndefined();
        else if (isSound) expect(sum).toEqual(decisive.answer);
        else expect(sum).toHaveProperty("failure");
      }),
    );
  });
});

/** Everything a careless handler might answer. */
const garbage: unknown[] = [
  null,
  0,
  1,
  Number.NaN,
  "",
  "text",
  true,
  [],
  [1],
  () => {},
  Symbol("x"),
  10n,
  new Date(),
  new Map(),
  { messages: 5 },
  { messages: [null] },
  { message: 5 },
  { action: "no" },
  { action: "transform" },
  { content: "x" },
  { entries: 3 },
  { skillPaths: 7 },
  { skillPaths: [7] },
  { compaction: 1 },
  { summary: 1 },
  { operations: 1 },
  { result: 1 },
  new Proxy(
    {},
    {
      get: () => {
        throw new Error("read");
      },
    },
  ),
];

describe("garbage", () => {
  const events: [ExtensionEventName, object][] = [
    ["session_start", {}],
    ["resources_discover", {}],
    ["session_before_compact", {}],
    ["session_before_tree", {}],
    ["input", { text: "t" }],
    ["before_agent_start", { systemPromptOptions: {} }],
    ["context", { messages: [] }],
    ["message_end", { message: { role: "user", content: "m" } }],
    ["turn_end", { entries: [], continue: false }],
    ["tool_call", { input: {} }],
    ["tool_result", { content: [] }],
    ["user_bash", {}],
  ];
  it.each(events)("%s survives it, and never as a part of the event", async (type, fields) => {
    for (const answer of garbage) {
      const { errors, event } = await ask({ type, ...structuredClone(fields) } as never, [{ answer }]);
      for (const { error } of errors)
        expect(error).toMatch(/expected|is no|needs|is none|read|Cannot|same role|Symbol/);
      if (type === "context") expect(event["messages"]).toEqual([]);
      if (type === "message_end") expect(event["message"]).toEqual({ role: "user", content: "m" });
      if (type === "tool_result") expect(event["content"]).toEqual([]);
    }
  });
});
