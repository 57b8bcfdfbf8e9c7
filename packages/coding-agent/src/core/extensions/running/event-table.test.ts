import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSyntheticSourceInfo } from "../../resources/source-info.js";
import { askProjectTrust, projectTrustContext } from "../ask-project-trust.js";
import { emptyExtension } from "../extension-api.js";
import type { ExtensionEventName } from "../types/event-map.js";
import type { Extension, ExtensionError } from "../types/host.js";
import { Dispatcher } from "./dispatch.js";
import { mergeRules } from "./merge-rules.js";

/** The table of extensions.md section 6: whose answers add up to something, and who is only told. */
const table: Record<ExtensionEventName, "answers" | "told"> = {
  session_start: "told",
  resources_discover: "answers",
  session_info_changed: "told",
  session_before_switch: "answers",
  session_before_fork: "answers",
  session_before_compact: "answers",
  session_compact: "told",
  session_compact_failed: "told",
  session_before_tree: "answers",
  session_tree: "told",
  session_shutdown: "told",
  input: "answers",
  before_agent_start: "answers",
  agent_start: "told",
  turn_start: "told",
  context: "answers",
  context_with_system: "answers",
  before_provider_headers: "told",
  before_provider_request: "answers",
  after_provider_response: "told",
  provider_stream_event: "told",
  message_start: "told",
  message_update: "told",
  message_end: "answers",
  tool_execution_start: "told",
  tool_execution_update: "told",
  tool_execution_end: "told",
  tool_call: "answers",
  tool_result: "answers",
  turn_end: "answers",
  agent_end: "told",
  agent_before_settle: "answers",
  agent_settled: "told",
  model_select: "told",
  thinking_level_select: "told",
  user_bash: "answers",
  ui_prompt_start: "told",
  ui_prompt_end: "told",
  cache_warming_decision: "answers",
  mcp_servers_change: "told",
};
const names = Object.keys(table) as ExtensionEventName[];

type Handler = (event: never) => unknown;

function extensionsOf(name: string, handlers: readonly Handler[]): Extension[] {
  return handlers.map((handler, index) => {
    const path = `/e${index}.ts`;
    const extension = emptyExtension(path, path, createSyntheticSourceInfo(path, { source: "test" }));
    extension.handlers.set(name, [handler as never]);
    return extension;
  });
}

async function emit(event: { type: ExtensionEventName }, handlers: readonly Handler[]) {
  const errors: ExtensionError[] = [];
  const dispatcher = new Dispatcher({
    extensions: extensionsOf(event.type, handlers),
    context: () => ({}),
    signal: () => undefined,
    isPrompting: () => false,
    report: (error) => errors.push(error),
  });
  return { sum: (await dispatcher.emit(event as never)) as unknown, errors };
}

describe("the events of the table", () => {
  it("have a merge rule exactly when their handlers answer", () => {
    expect(Object.keys(mergeRules).sort()).toEqual(names.filter((name) => table[name] === "answers").sort());
  });

  it.each(names.filter((name) => table[name] === "told"))(
    "%s: whatever is returned or thrown, all are told, in order, and nothing comes of it",
    async (type) => {
      const told: number[] = [];
      const behaviour = fc.oneof(fc.record({ returns: fc.anything() }), fc.record({ throws: fc.string() }));
      await fc.assert(
        fc.asyncProperty(fc.array(behaviour, { maxLength: 5 }), async (behaviours) => {
          told.length = 0;
          const event = { type, mark: 1 };
          const { sum, errors } = await emit(
            event,
            behaviours.map((one, index) => () => {
              told.push(index);
              if ("throws" in one) throw new Error(one.throws);
              return one.returns;
            }),
          );
          expect(sum).toBeUndefined();
          expect(told).toEqual(behaviours.map((_, index) => index));
          expect(event).toEqual({ type, mark: 1 });
          const failed = behaviours.flatMap((one, index) => ("throws" in one ? [`/e${index}.ts`] : []));
          expect(errors.map(({ extensionPath }) => extensionPath)).toEqual(failed);
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each(names)("%s: one that is never heard of costs no call", async (type) => {
    const dispatcher = new Dispatcher({
      extensions: extensionsOf("another", [() => 1]),
      context: () => expect.fail("nobody is asked"),
      signal: () => undefined,
      isPrompting: () => false,
      report: () => expect.fail("nothing is told"),
    });
    expect(dispatcher.has(type)).toBe(false);
    expect(await dispatcher.emit({ type } as never)).toBeUndefined();
  });

  it("before_provider_headers: each handler changes what the ones before have left", async () => {
    const change = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(fc.string(), fc.constant(null)));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
        const headers: Record<string, string | null> = { a: "first" };
        const handlers = changes.map((one) => (event: { headers: object }) => void Object.assign(event.headers, one));
        await emit({ type: "before_provider_headers", headers } as never, handlers as never);
        expect(headers).toEqual(Object.assign({ a: "first" }, ...changes));
      }),
    );
  });

  it("cache_warming_decision: the last answer counts", async () => {
    const answer = fc.option(fc.record({ action: fc.constantFrom("warm", "stop") }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 5 }), async (answers) => {
        const { sum } = await emit(
          { type: "cache_warming_decision" },
          answers.map((one) => () => one),
        );
        expect(sum).toEqual(answers.findLast((one) => one !== undefined));
      }),
    );
  });
});

describe("project_trust", () => {
  it("the first yes or no counts; who throws, or answers anything else, decides nothing", async () => {
    const behaviour = fc.oneof(
      fc.record({
        returns: fc.oneof(
          fc.record({ trusted: fc.constantFrom("yes", "no", "undecided", true, 1), remember: fc.boolean() }),
          fc.constantFrom(undefined, null, "yes", 1),
        ),
      }),
      fc.record({ throws: fc.string() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(behaviour, { maxLength: 6 }), async (behaviours) => {
        const asked: number[] = [];
        const warnings: string[] = [];
        const handlers = behaviours.map((one, index) => async (event: { cwd: string }) => {
          asked.push(index);
          expect(event).toEqual({ type: "project_trust", cwd: "/p" });
          if ("throws" in one) throw new Error(one.throws);
          return one.returns;
        });
        const context = projectTrustContext("/p", "print", () => {});
        const decision = await askProjectTrust(extensionsOf("project_trust", handlers as never), context, (text) =>
          warnings.push(text),
        );
        const answers = behaviours.map((one) => ("returns" in one ? one.returns : undefined));
        const isDecisive = (answer: unknown) =>
          typeof answer === "object" && answer !== null && ["yes", "no"].includes(Reflect.get(answer, "trusted"));
        const first = answers.findIndex(isDecisive);
        expect(asked).toHaveLength(first < 0 ? behaviours.length : first + 1);
        expect(decision).toEqual(first < 0 ? undefined : answers[first]);
        const isAnswer = (answer: unknown) =>
          answer === undefined ||
          (typeof answer === "object" &&
            answer !== null &&
            ["yes", "no", "undecided"].includes(Reflect.get(answer, "trusted")));
        const failed = behaviours.slice(0, asked.length).flatMap((one, at) => {
          const extension = `Extension "/e${at}.ts"`;
          if ("throws" in one) return [`${extension} project_trust error: ${one.throws}`];
          return isAnswer(one.returns) ? [] : [`${extension} project_trust handler returned something else`];
        });
        expect(warnings.map((text) => text.replace(/(something else): .* It decides nothing\.$/, "$1"))).toEqual(
          failed,
        );
      }),
    );
  });
});
