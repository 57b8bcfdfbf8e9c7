import type { Model } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { resolveCliModel } from "./initial-model.js";
import type { ModelPool } from "./resolution.js";

function poolOf(names: string[], usable: string[] = []): ModelPool {
  const models = names.map((name): Model => {
    const at = name.indexOf("/");
    const id = name.slice(at + 1);
    return {
      id,
      name: id.toUpperCase(),
      provider: name.slice(0, at),
      api: "x",
      baseUrl: "",
      reasoning: false,
      input: ["text"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 1,
      maxTokens: 1,
    };
  });
  return {
    providers: [...new Set(models.map((model) => model.provider))],
    models: (provider) => models.filter((model) => model.provider === provider),
    usable: (provider) => usable.includes(provider),
    speaks: () => true,
    defaultModelId: () => undefined,
  };
}

const names = [
  "anthropic/claude-opus-5-5",
  "anthropic/claude-opus-5-5-20260901",
  "anthropic/claude-sonnet-5",
  "openai/gpt-6",
  "openrouter/openai/gpt-6",
  "openrouter/anthropic/claude-sonnet-5",
  "router/gpt-6",
];

function resolve(model: string, usable: string[] = [], provider?: string, thinking?: "high") {
  const modelRuntime = poolOf(names, usable);
  const result = resolveCliModel({ cliModel: model, cliProvider: provider, cliThinking: thinking, modelRuntime });
  if (result.error) return `error: ${result.error}`;
  const name = `${result.model?.provider}/${result.model?.id}`;
  return [name, result.thinkingLevel, result.warning].filter((part) => part !== undefined).join(" | ");
}

describe("model resolution (llm.md section 13)", () => {
  it.each([
    ["claude-sonnet-5", [], "anthropic/claude-sonnet-5"],
    ["CLAUDE-SONNET-5", [], "anthropic/claude-sonnet-5"],
    ["anthropic/claude-sonnet-5", [], "anthropic/claude-sonnet-5"],
    ["anthropic/claude-sonnet-5", ["openrouter"], "openrouter/anthropic/claude-sonnet-5"],
    ["openrouter/openai/gpt-6", [], "openrouter/openai/gpt-6"],
    ["opus", [], "anthropic/claude-opus-5-5"],
    ["anthropic/opus", [], "anthropic/claude-opus-5-5"],
    ["claude-opus-5-5:high", [], "anthropic/claude-opus-5-5 | high"],
    ["gpt-6", ["openai"], "openai/gpt-6"],
    [
      "anthropic/brand-new",
      [],
      'anthropic/brand-new | Model "brand-new" not found for provider "anthropic". Using custom model id.',
    ],
    [
      "anthropic/brand-new:low",
      [],
      'anthropic/brand-new | low | Model "brand-new" not found for provider "anthropic". Using custom model id.',
    ],
    ["nothing-like-it", [], 'error: Model "nothing-like-it" not found. Use --list-models to see available models.'],
  ] satisfies [string, string[], string][])("%s with keys for %j", (text, usable, expected) => {
    expect(resolve(text, usable)).toBe(expected);
  });

  it("says which models a name may mean", () => {
    expect(resolve("gpt-6")).toBe(
      'error: Model "gpt-6" is ambiguous across providers: openai/gpt-6, router/gpt-6. No matching provider is ' +
        "authenticated. Use --provider or provider/model.",
    );
    expect(resolve("gpt-6", ["openai", "router"])).toContain("More than one matching provider is authenticated.");
  });

  it("--provider limits the search and must exist", () => {
    expect(resolve("gpt-6", [], "router")).toBe("router/gpt-6");
    expect(resolve("gpt-6", [], "nobody")).toBe(
      'error: Unknown provider "nobody". Use --list-models to see available providers/models.',
    );
  });

  it("a level suffix of an unknown id stays part of it when --thinking is given", () => {
    expect(resolve("anthropic/new:low", [], undefined, "high")).toContain("anthropic/new:low |");
  });
});
