import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { modelsFromModelsDev } from "./models-dev.js";
import { refreshFromModelsDev } from "./refresh-builtin.js";
import type { ModelsPublication, RefreshModelsContext } from "./types.js";

const catalogue = {
  groq: {
    models: {
      "new/model": {
        id: "new/model",
        name: "New",
        reasoning: true,
        modalities: { input: ["text", "image", "audio"], output: ["text"] },
        cost: { input: 1, output: 2, cache_read: 0.1, context_over_200k: { input: 3, output: 4 } },
        limit: { context: 500_000, output: 64_000 },
      },
      bare: { id: "bare" },
      whisper: { id: "whisper", modalities: { input: ["audio"], output: ["audio"] } },
      broken: "x",
      nameless: { name: "x" },
    },
  },
  togetherai: { models: { t: { id: "t" } } },
};
const groq = { id: "groq", api: "openai-completions", baseUrl: "http://groq" };

test("models of models.dev", () => {
  expect(modelsFromModelsDev(catalogue, groq)).toEqual([
    {
      id: "new/model",
      name: "New",
      api: "openai-completions",
      provider: "groq",
      baseUrl: "http://groq",
      type: "chat",
      reasoning: true,
      input: ["text", "image"],
      cost: {
        input: 1,
        output: 2,
        cacheRead: 0.1,
        cacheWrite: 0,
        tiers: [{ inputTokensAbove: 200_000, input: 3, output: 4, cacheRead: 0, cacheWrite: 0 }],
      },
      contextWindow: 500_000,
      maxTokens: 64_000,
    },
    expect.objectContaining({ id: "bare", name: "bare", contextWindow: 128_000, maxTokens: 16_384, input: ["text"] }),
  ]);
  expect(modelsFromModelsDev(catalogue, { ...groq, id: "together" })).toHaveLength(1);
  for (const odd of [undefined, null, [], { groq: 1 }, { groq: { models: [] } }]) {
    expect(modelsFromModelsDev(odd, groq)).toEqual([]);
  }
});

test("one download for all providers; not offline, not again while fresh, unless forced", async () => {
  let downloads = 0;
  const server = createServer((_request, response) => {
    downloads++;
    response.end(JSON.stringify(catalogue));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const published: ModelsPublication[] = [];
  const context = (fields: Partial<RefreshModelsContext>): RefreshModelsContext => ({
    allowNetwork: true,
    signal: new AbortController().signal,
    publish: async (publication) => published.push(publication) > 0,
    ...fields,
  });
  try {
    const { signal } = new AbortController();
    await Promise.all([
      refreshFromModelsDev(groq, context({ signal }), url),
      refreshFromModelsDev({ ...groq, id: "together" }, context({ signal }), url),
    ]);
    expect(downloads).toBe(1);
    expect(published.map(({ persist }) => persist?.models.length)).toEqual([2, 1]);
    const stored = { models: [], checkedAt: Date.now() - 1000 };
    await refreshFromModelsDev(groq, context({ stored }), url);
    await refreshFromModelsDev(groq, context({ allowNetwork: false }), url);
    expect(downloads).toBe(1);
    await refreshFromModelsDev(groq, context({ stored, force: true }), url);
    expect(downloads).toBe(2);
    await expect(refreshFromModelsDev(groq, context({}), "http://127.0.0.1:1/")).rejects.toThrow(/^Connection error/);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
