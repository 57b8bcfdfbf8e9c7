import type { Model } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import type { Settings } from "../settings/settings.js";
import { defaultModel } from "./initial-model.js";
import type { ModelPool } from "./resolution.js";

const catalogue: Record<string, string[]> = { first: ["a", "b"], second: ["c", "d"], locked: ["e"] };
const pool: ModelPool = {
  providers: Object.keys(catalogue),
  models: (provider) => (catalogue[provider] ?? []).map((id) => ({ provider, id, api: "x" }) as Model),
  usable: (provider) => provider in catalogue && provider !== "locked",
  speaks: () => true,
  defaultModelId: (provider) => (provider === "second" ? "d" : undefined),
};

describe("defaultModel", () => {
  it.each<[Settings, string, object?]>([
    [{}, "second/d"],
    [{ defaultProvider: "first", defaultModel: "b" }, "first/b"],
    [{ defaultProvider: "first" }, "first/a"],
    [{ defaultModel: "c" }, "second/c"],
    [{ defaultModel: "first/b" }, "first/b"],
    [
      { defaultProvider: "first", defaultModel: "c" },
      "first/a",
      { key: "defaultModel", value: "c", reason: "first has no such model" },
    ],
    [
      { defaultProvider: "nope", defaultModel: "c" },
      "second/d",
      { key: "defaultProvider", value: "nope", reason: "there is no such provider" },
    ],
    [
      { defaultProvider: "nope" },
      "second/d",
      { key: "defaultProvider", value: "nope", reason: "there is no such provider" },
    ],
    [
      { defaultProvider: "locked", defaultModel: "e" },
      "second/d",
      { key: "defaultProvider", value: "locked", reason: "there is neither a key nor a sign-in for it" },
    ],
    [
      { defaultModel: "e" },
      "second/d",
      { key: "defaultModel", value: "e", reason: "no provider that can be used has such a model" },
    ],
  ])("%j: %s", (settings, used, unusable) => {
    const found = defaultModel(settings, pool);
    expect(`${found.model?.provider}/${found.model?.id}`).toBe(used);
    expect(found.unusable).toEqual(unusable);
  });

  it("nothing that can be used: the pool says what may be the reason", () => {
    const none = { ...pool, usable: () => false };
    expect(defaultModel({ defaultProvider: "first", defaultModel: "a" }, none).model).toBeUndefined();
    const explained = {
      ...none,
      explainNoModel() {
        throw new Error("broken file");
      },
    };
    expect(() => defaultModel({}, explained)).toThrow("broken file");
  });
});
