import { describe, expect, it } from "vitest";
import { applyProviderEntry, parseModelsJson, providerProblems } from "./models-json.js";

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

  it("re-points built-in models and merges compat, nearest first", () => {
    const [custom] = applyProviderEntry(
      "p",
      {
        api: "a",
        baseUrl: "http://h",
        compat: { x: 1, y: 1 },
        models: [{ id: "m", compat: { y: 2 } }],
        modelOverrides: { m: { maxTokens: 5, compat: { z: 3 } } },
      },
      [],
    );
    expect(custom).toMatchObject({ maxTokens: 5, compat: { x: 1, y: 2, z: 3 } });
  });

  it.each([
    ["{", /^Failed to parse models\.json: .*\n\nFile: \/x\/models\.json$/s],
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
