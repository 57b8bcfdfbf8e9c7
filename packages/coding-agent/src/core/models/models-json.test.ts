import type { Model } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { applyOverrides, applyProviderEntry, parseModelsJson, providerProblems } from "./models-json.js";

const parse = (text: string) => parseModelsJson(text, "/x/models.json");

describe("models.json (llm.md section 12)", () => {
  it("takes comments and trailing commas, but leaves strings alone", () => {
    const entries = parse(`{
      // a comment
      "providers": {"p": {"baseUrl": "http://h//v1", "apiKey": "a,]b", "models": [{"id": "m",},],},},
    }`);
    expect(entries.get("p")).toEqual({ baseUrl: "http://h//v1", apiKey: "a,]b", models: [{ id: "m" }] });
  });

  it("fills in the defaults of a model", () => {
    const entry = { api: "openai-completions", baseUrl: "http://h/v1", models: [{ id: "m" }] };
    expect(applyProviderEntry("p", entry, [])).toEqual([
      {
        id: "m",
        name: "m",
        api: "openai-completions",
        provider: "p",
        baseUrl: "http://h/v1",
        reasoning: false,
        input: ["text"],
        contextWindow: 128_000,
        maxTokens: 16_384,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ]);
  });

  const builtin: Model = {
    id: "m",
    name: "M",
    api: "openai-completions",
    provider: "p",
    baseUrl: "http://builtin",
    reasoning: true,
    input: ["text"],
    cost: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    contextWindow: 10,
    maxTokens: 5,
    thinkingLevelMap: { low: "low" },
    compat: { supportsStore: true, chatTemplateKwargs: { a: 1 } },
  };

  it("re-points built-in models, flags of the model over those of the provider", () => {
    const [model] = applyProviderEntry("p", { baseUrl: "http://h", compat: { supportsStore: false, x: 1 } }, [builtin]);
    expect(model).toEqual({
      ...builtin,
      baseUrl: "http://h",
      compat: { supportsStore: true, x: 1, chatTemplateKwargs: { a: 1 } },
    });
  });

  it("a custom model replaces a built-in one whole, but for where it is", () => {
    const [model] = applyProviderEntry("p", { models: [{ id: "m", headers: { a: "$B" } }] }, [builtin]);
    expect(model).toEqual({
      id: "m",
      name: "m",
      api: "openai-completions",
      provider: "p",
      baseUrl: "http://builtin",
      reasoning: false,
      input: ["text"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 128_000,
      maxTokens: 16_384,
    });
  });

  it("overrides: some members merge, the others replace, unknown ids are nothing", () => {
    const overridden = applyOverrides([builtin], {
      m: {
        maxTokens: 7,
        input: ["text", "image"],
        cost: { input: 9 } as never,
        thinkingLevelMap: { off: null },
        compat: { chatTemplateKwargs: { b: 2 }, maxTokensField: "max_tokens" },
        inputLimits: { images: { maxPerMessage: 1 } },
        samplingParamsByThinkingLevel: { high: { top_p: 1 } },
        headers: { x: "y" },
      },
      other: { maxTokens: 1 },
    });
    expect(overridden).toEqual([
      {
        ...builtin,
        maxTokens: 7,
        input: ["text", "image"],
        cost: { input: 9, output: 2, cacheRead: 3, cacheWrite: 4 },
        thinkingLevelMap: { low: "low", off: null },
        compat: { supportsStore: true, chatTemplateKwargs: { a: 1, b: 2 }, maxTokensField: "max_tokens" },
        inputLimits: { images: { maxPerMessage: 1 } },
        samplingParamsByThinkingLevel: { high: { top_p: 1 } },
      },
    ]);
  });

  it.each([
    [
      '{\n  "providers": { // all of them\n    "p": {\n      "api" "x"\n',
      /^Failed to parse models\.json: expected a colon at line 4, column 13\n/,
    ],
    ["{", /^Failed to parse models\.json: expected .* at line 1, column 2\n\nFile: \/x\/models\.json$/s],
    [
      '{"a":[1,2,],\n "b":[1,],x}',
      /^Failed to parse models\.json: expected a name in double quotes at line 2, column 11\n/,
    ],
    ['{"providers":{"p":{"apiKey":"sk-secret"x}}}', /^(?!.*secret)Failed to parse models\.json: /s],
    [
      '{"providers":{"p":{"models":[{"id":"m","cost":{"input":1}}],"modelOverrides":{"m":{"headers":{"a":1}}}}}}',
      /models\.0\.cost\.output: expected number, got undefined(.|\n)*modelOverrides\.m\.headers\.a: expected string/,
    ],
    ["[]", /^Invalid models\.json schema:\n {2}- root: expected an object\n\nFile: /],
    ['{"providers":{"p":{"models":[{}]}}}', / {2}- providers\.p\.models\.0\.id: expected a non-empty string/],
    [
      '{"providers":{"p":{"baseUrl":1,"models":3}}}',
      /p\.baseUrl: expected string, got number\n {2}- providers\.p\.models: exp/,
    ],
  ])("%s", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it("says what a provider entry lacks", () => {
    expect(providerProblems("p", {}, [])).toEqual([
      'Provider p: must specify "baseUrl", "headers", "compat", "modelOverrides", or "models".',
    ]);
    expect(providerProblems("p", { models: [{ id: "m" }] }, [])).toEqual([
      'Provider p, model m: no "api" specified. Set at provider or model level.',
    ]);
    expect(providerProblems("p", { api: "a", models: [{ id: "m" }] }, [])).toEqual([
      'Provider p: "baseUrl" is required when defining custom models.',
    ]);
  });
});
