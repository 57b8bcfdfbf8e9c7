import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  completionsOwnToolCallId,
  completionsToolCallId,
  identifierToolCallId,
  responsesToolCallId,
  shortHash,
} from "./tool-call-ids.js";

const openai = { provider: "openai", api: "openai-responses" };
const other = { provider: "other", api: "openai-responses" };

describe("ids of other models", () => {
  test.each([
    [identifierToolCallId("call_t1|fc_t1"), "call_t1_fc_t1"],
    [identifierToolCallId("x".repeat(99)), "x".repeat(64)],
    [completionsToolCallId("toolu_t1", "any"), "toolu_t1"],
    [completionsToolCallId("x".repeat(50), "any"), "x".repeat(50)],
    [completionsToolCallId("x".repeat(700), "any"), `${"x".repeat(31)}_${shortHash("x".repeat(700))}`],
    [completionsOwnToolCallId("x".repeat(64), "any"), "x".repeat(64)],
    [completionsOwnToolCallId("x".repeat(700), "any"), `${"x".repeat(31)}_${shortHash("x".repeat(700))}`],
    [completionsToolCallId("x".repeat(50), "openai"), "x".repeat(40)],
    [completionsToolCallId("call_1|fc.2", "any"), "call_1_fc_2"],
    [responsesToolCallId("toolu_t1", openai, true), "toolu_t1"],
    [responsesToolCallId("call_1|fc_1", openai, false), "call_1|fc_1"],
    [responsesToolCallId("call_1|x1", openai, false), "call_1|fc_x1"],
    [responsesToolCallId("call_1|fc_1", openai, true), `call_1|fc_${shortHash("fc_1")}`],
    [responsesToolCallId("call_1|fc_1", other, true), "call_1_fc_1"],
    [responsesToolCallId("a+b__", other, true), "a_b"],
  ])("%s", (id, expected) => {
    expect(id).toBe(expected);
  });

  test("are accepted by their target, and different ones stay different", () => {
    const id = fc.string({ minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(id, id, (call, item) => {
        const joined = completionsToolCallId(`${call}|${item}`, "any");
        expect(joined.length).toBeLessThanOrEqual(40);
        expect(joined).toMatch(/^[a-zA-Z0-9_-]*$/);
        expect(identifierToolCallId(`${call}|${item}`)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
    const long = "c".repeat(60);
    expect(completionsToolCallId(`${long}|a`, "any")).not.toBe(completionsToolCallId(`${long}|b`, "any"));
  });
});
