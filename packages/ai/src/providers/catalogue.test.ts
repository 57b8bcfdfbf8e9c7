import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addModelsDev, figuresText, generateModelFiles, modelsFolder } from "../../scripts/generate-models.mjs";
import type { Model } from "../types.js";
import { getBuiltinModel, getBuiltinModels, getBuiltinProviders } from "./catalogue.js";
import { findProviderInfo, providerTable } from "./provider-table.js";

describe("model files", () => {
  test("are what the generator makes of the figures", () => {
    const files = generateModelFiles();
    expect(readdirSync(modelsFolder).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) expect(readFileSync(new URL(name, modelsFolder), "utf8") === text).toBe(true);
  });
});

test("the generator takes models.dev data: what is new is added, what is known stays", async () => {
  const text = readFileSync(new URL("../model-figures.json", modelsFolder), "utf8");
  const figures = JSON.parse(text);
  expect(figuresText(figures) === text).toBe(true);
  const listed = { "openai/gpt-oss-120b": { id: "openai/gpt-oss-120b" }, new: { id: "new", limit: { context: 5 } } };
  expect(await addModelsDev(figures, { groq: { models: listed } })).toBe(1);
  expect(figures.providers.groq.models.at(-1)).toEqual(["new", "new", 5, 16_384, [0, 0, 0, 0], 0, 0]);
});

describe("catalogue", () => {
  test("a model with everything", () => {
    expect(getBuiltinModel("anthropic", "claude-opus-5-5")).toMatchObject({
      id: "claude-opus-5-5",
      api: "anthropic-messages",
      provider: "anthropic",
      baseUrl: "https://api.anthropic.com",
      reasoning: true,
      input: ["text", "image"],
      cost: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
      contextWindow: 1_000_000,
      maxTokens: 128_000,
      thinkingLevelMap: { off: null, minimal: null, low: "low", max: "max" },
      compat: { forceAdaptiveThinking: true, supportsTemperature: false },
      promptCache: { short: 300, long: 3600 },
    } satisfies Partial<Model>);
    expect(getBuiltinModel("openai", "gpt-6.2-sol")?.cost.tiers?.[0]).toEqual({
      inputTokensAbove: 272_000,
      input: 4,
      output: 15,
      cacheRead: 0.2,
      cacheWrite: 5,
    });
  });

  test("every provider has its default model, under unique ids", () => {
    let count = 0;
    for (const { id, defaultModel } of providerTable) {
      const models = getBuiltinModels(id);
      count += models.length;
      if (defaultModel) expect(getBuiltinModel(id, defaultModel), `${id}/${defaultModel}`).toBeDefined();
      else expect(models).toEqual([]);
      for (const model of models) expect(model).toMatchObject({ provider: id, type: "chat" });
    }
    const lines = readdirSync(modelsFolder).map((name) => readFileSync(new URL(name, modelsFolder), "utf8"));
    expect(count).toBe(lines.reduce((sum, text) => sum + text.trimEnd().split("\n").length - 2, 0));
    expect(count).toBeGreaterThan(1600);
  });

  test("what is unknown", () => {
    expect(getBuiltinModel("anthropic", "nothing")).toBeUndefined();
    expect(getBuiltinModel("../../package", "x")).toBeUndefined();
    expect(getBuiltinModels("nobody")).toEqual([]);
    expect(getBuiltinModels("__proto__")).toEqual([]);
  });

  test("a renamed provider is found under its old id", () => {
    expect(findProviderInfo("azure-openai-responses")?.id).toBe("azure");
    expect(getBuiltinModel("azure-openai-responses", "gpt-6.2-sol")?.provider).toBe("azure");
  });

  test("providers in table order", () => {
    expect(getBuiltinProviders().slice(0, 4)).toEqual(["amazon-bedrock", "ant-ling", "anthropic", "openai"]);
    expect(getBuiltinProviders()).toHaveLength(43);
    expect(new Set(getBuiltinProviders()).size).toBe(43);
  });

  test("the table agrees with most models of each provider", () => {
    for (const { id, api, baseUrl } of providerTable) {
      const models = getBuiltinModels(id);
      if (models.length === 0) continue;
      expect(
        models.some((model) => model.api === api && model.baseUrl === baseUrl),
        id,
      ).toBe(true);
    }
  });
});
