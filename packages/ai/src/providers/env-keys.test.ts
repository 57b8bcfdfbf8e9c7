import { afterEach, describe, expect, test, vi } from "vitest";
import { findEnvKeys, getEnvApiKey } from "./env-keys.js";
import { providerTable } from "./provider-table.js";

afterEach(() => vi.unstubAllEnvs());

function clearEnvironment(): void {
  for (const { env, ambientEnv } of providerTable) {
    for (const name of [...env, ...(ambientEnv ?? []).flat()]) vi.stubEnv(name, undefined);
  }
}

describe("keys from the environment", () => {
  test.each<[string, Record<string, string>, string | undefined, string[] | undefined]>([
    ["anthropic", {}, undefined, undefined],
    ["anthropic", { ANTHROPIC_API_KEY: "k" }, "k", ["ANTHROPIC_API_KEY"]],
    [
      "anthropic",
      { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" },
      "t",
      ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
    ],
    ["groq", { GROQ_API_KEY: "g" }, "g", ["GROQ_API_KEY"]],
    ["huggingface", { HF_TOKEN: "h" }, "h", ["HF_TOKEN"]],
    ["moonshotai-cn", { MOONSHOT_API_KEY: "m" }, "m", ["MOONSHOT_API_KEY"]],
    ["qwen-token-plan-cn", { QWEN_TOKEN_PLAN_CN_API_KEY: "q" }, "q", ["QWEN_TOKEN_PLAN_CN_API_KEY"]],
    ["azure-openai-responses", { AZURE_OPENAI_API_KEY: "a" }, "a", ["AZURE_OPENAI_API_KEY"]],
    ["amazon-bedrock", { AWS_ACCESS_KEY_ID: "a" }, undefined, undefined],
    ["amazon-bedrock", { AWS_PROFILE: "p" }, "<authenticated>", ["AWS_PROFILE"]],
    ["nobody", { NOBODY_API_KEY: "n" }, undefined, undefined],
  ])("%s with %j", (provider, env, key, names) => {
    clearEnvironment();
    expect(getEnvApiKey(provider, env)).toBe(key);
    expect(findEnvKeys(provider, env)).toEqual(names);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(getEnvApiKey(provider)).toBe(key);
  });

  test("the given environment wins", () => {
    vi.stubEnv("GROQ_API_KEY", "process");
    expect(getEnvApiKey("groq", { GROQ_API_KEY: "given" })).toBe("given");
  });
});
