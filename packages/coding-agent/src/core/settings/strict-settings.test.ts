import { describe, expect, it } from "vitest";
import { checkedSettings } from "./check-settings.js";
import type { Settings } from "./settings.js";
import { wrongSettings } from "./strict-settings.js";

const integer = "Expected a non-negative safe integer.";

describe("values that end a start", () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ httpIdleTimeoutMs: 0, websocketConnectTimeoutMs: "disabled", sessionFsync: "never" }, []],
    [{ httpIdleTimeoutMs: 1.5, compaction: { reserveTokens: 0, modelOverrides: { "a/b": { reserveTokens: 1 } } } }, []],
    [{ httpIdleTimeoutMs: "soon" }, ["Invalid httpIdleTimeoutMs setting: soon"]],
    [{ httpIdleTimeoutMs: -1 }, ["Invalid httpIdleTimeoutMs setting: -1"]],
    [{ httpIdleTimeoutMs: 2 ** 31 }, ["Invalid httpIdleTimeoutMs setting: 2147483648"]],
    [{ websocketConnectTimeoutMs: null }, ["Invalid websocketConnectTimeoutMs setting: null"]],
    [{ sessionFsync: "x" }, ["Invalid sessionFsync setting: x"]],
    [{ compaction: { reserveTokens: -1 } }, [`Invalid compaction.reserveTokens setting: -1. ${integer}`]],
    [{ compaction: { keepRecentTokens: 1.5 } }, [`Invalid compaction.keepRecentTokens setting: 1.5. ${integer}`]],
    [{ compaction: { modelOverrides: 5 } }, ["Invalid compaction.modelOverrides setting: 5"]],
    [
      { compaction: { modelOverrides: { "a/b": 5, c: { reserveTokens: "x" }, "d/e": { keepRecentTokens: {} } } } },
      [
        'Invalid compaction.modelOverrides["a/b"] setting: 5',
        `Invalid compaction.modelOverrides.c.reserveTokens setting: x. ${integer}`,
        `Invalid compaction.modelOverrides["d/e"].keepRecentTokens setting: {}. ${integer}`,
      ],
    ],
    [{ editorPaddingX: 50, unknown: { httpIdleTimeoutMs: "x" } }, []],
  ])("%j", (settings, messages) => {
    expect(wrongSettings(settings as Settings).map(({ message }) => message)).toEqual(messages);
    // No other check takes them away before.
    expect(wrongSettings(checkedSettings({ ...settings }).settings)).toHaveLength(messages.length);
  });

  it.each<[object, string]>([
    [{ httpIdleTimeoutMs: "soon" }, 'a number of at least 0 or "disabled"'],
    [{ compaction: { reserveTokens: -1 } }, "a whole number of at least 0"],
    [{ sessionFsync: "x" }, '"never", "important" or "always"'],
  ])("%j: expected %s", (settings, expected) => {
    expect(wrongSettings(settings as Settings)).toMatchObject([{ expected }]);
  });
});

describe("other values", () => {
  it.each<[object, object, string[]]>([
    [
      { editorPaddingX: 4, outputPad: 1 },
      { outputPad: 1 },
      ['"editorPaddingX": expected a whole number from 0 to 3, got 4'],
    ],
    [{ outputPad: 2 }, {}, ['"outputPad": expected 0 or 1, got 2']],
    [
      { autocompleteMaxVisible: 5.5, fullscreenWheelScrollLines: "auto" },
      { fullscreenWheelScrollLines: "auto" },
      ['"autocompleteMaxVisible": expected a whole number from 3 to 20, got 5.5'],
    ],
    [
      { fullscreenWheelScrollLines: 101 },
      {},
      ['"fullscreenWheelScrollLines": expected a whole number from 1 to 100 or "auto", got 101'],
    ],
    [
      { retry: { maxRetries: -3, baseDelayMs: 1.5 } },
      { retry: { baseDelayMs: 1.5 } },
      ['"retry.maxRetries": expected a whole number of at least 0, got -3'],
    ],
    [
      { thinkingBudgets: { low: "5" } },
      { thinkingBudgets: {} },
      ['"thinkingBudgets.low": expected a whole number of at least 0, got string'],
    ],
  ])("%j", (value, settings, problems) => {
    expect(checkedSettings({ ...value })).toEqual({ settings, problems });
  });
});
