import type { Model } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCount, listModelsText } from "./list-models.js";
import { modelGlob } from "./model-glob.js";
import { resolvePatterns } from "./model-scope.js";

function model(name: string, fields: Partial<Model> = {}): Model {
  const at = name.indexOf("/");
  return {
    id: name.slice(at + 1),
    name: name.slice(at + 1),
    provider: name.slice(0, at),
    api: "x",
    baseUrl: "",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1,
    maxTokens: 1,
    ...fields,
  };
}

const available = [
  "anthropic/claude-opus-5",
  "anthropic/claude-sonnet-5",
  "openai/gpt-6",
  "openrouter/openai/gpt-6",
  "router/gpt-6",
  "router/odd[1]",
].map((name) => model(name));

function resolve(...patterns: string[]): string[] {
  const { scopedModels, diagnostics } = resolvePatterns(patterns, available);
  return [
    ...scopedModels.map(({ model: { provider, id }, thinkingLevel }) =>
      thinkingLevel ? `${provider}/${id} ${thinkingLevel}` : `${provider}/${id}`,
    ),
    ...diagnostics.map(({ code, message }) => `${code}: ${message}`),
  ];
}

describe("patterns of models (llm.md section 13)", () => {
  it.each<[string[], string[]]>([
    [["claude-*"], ["anthropic/claude-opus-5", "anthropic/claude-sonnet-5"]],
    [["ANTHROPIC/*:high"], ["anthropic/claude-opus-5 high", "anthropic/claude-sonnet-5 high"]],
    [["openrouter/*"], []],
    [["openrouter/**"], ["openrouter/openai/gpt-6"]],
    [["*/gpt-?"], ["openai/gpt-6", "openrouter/openai/gpt-6", "router/gpt-6"]],
    [["odd[1]"], ["router/odd[1]"]],
    [
      ["sonnet:low", "opus"],
      ["anthropic/claude-sonnet-5 low", "anthropic/claude-opus-5"],
    ],
    [
      ["opus:high", "anthropic/*"],
      ["anthropic/claude-opus-5 high", "anthropic/claude-sonnet-5"],
    ],
    [["openai/gpt-6"], ["openai/gpt-6"]],
  ])("%j", (patterns, expected) => {
    const warnings = expected.length === 0 ? [`no-match: No models match pattern "${patterns[0]}"`] : [];
    expect(resolve(...patterns)).toEqual([...expected, ...warnings]);
  });

  it("warnings", () => {
    expect(resolve("opus:hihg")).toEqual([
      "anthropic/claude-opus-5",
      'invalid-thinking-level: Invalid thinking level "hihg" in pattern "opus:hihg". Using default instead.',
    ]);
    expect(resolve("gpt-6:max")).toEqual([
      "openai/gpt-6 max",
      "router/gpt-6 max",
      'ambiguous: Pattern "gpt-6:max" matches several providers: openai, router. Use provider/id to choose one.',
    ]);
    expect(resolve("nope", "nope:high")).toEqual([
      'no-match: No models match pattern "nope"',
      'no-match: No models match pattern "nope:high"',
    ]);
  });

  it.each([
    ["[a-c]", "b", true],
    ["[c-a]", "b", false],
    ["[c-a]", "-", true],
    ["[a--]", "a", true],
    ["[!a--]", "a", false],
  ])("%s fits %s: %s", (pattern, id, fits) => {
    expect(modelGlob(pattern).test(id)).toBe(fits);
  });

  it("every id is found by itself, and no text is more than a pattern", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab-.[]*?!^$(){}+|\\/:1") });
    fc.assert(
      fc.property(text, text, (pattern, id) => {
        expect(() => modelGlob(pattern).test(id)).not.toThrow();
        const own = model(`p/x${id}`);
        expect(resolvePatterns([`p/x${id}*`], [own]).scopedModels.length).toBeLessThanOrEqual(1);
        expect(resolvePatterns([`p/x${id}`], [own]).scopedModels).toHaveLength(1);
      }),
    );
  });
});

describe("--list-models (cli-and-config.md section 1.6)", () => {
  const models = [
    model("zai/glm", { contextWindow: 1_000_000, maxTokens: 131_072, reasoning: true, input: ["text", "image"] }),
    model("local/a-long-model-name", { contextWindow: 16_384, maxTokens: 999 }),
  ];
  it("columns as wide as their widest cell, the last one too", () => {
    expect(listModelsText(models, undefined, "none")).toBe(
      [
        "provider  model              context  max-out  thinking  images",
        "local     a-long-model-name  16.4K    999      no        no    ",
        "zai       glm                1M       131.1K   yes       yes   ",
      ].join("\n"),
    );
  });
  it("a search, nothing found, nothing at all", () => {
    expect(listModelsText(models, "zg", "none").split("\n")).toHaveLength(2);
    expect(listModelsText(models, "zzz", "none")).toBe('No models matching "zzz"');
    expect(listModelsText([], "zzz", "none")).toBe("none");
  });
  it.each([
    [999, "999"],
    [1000, "1K"],
    [16_384, "16.4K"],
    [128_000, "128K"],
    [1_000_000, "1M"],
    [1_500_000, "1.5M"],
  ])("%i: %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});
