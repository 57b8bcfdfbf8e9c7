import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtinApiIds } from "../src/builtin-apis.js";
import { providerTable } from "../src/providers/provider-table.js";

/** Every name of exports.md section 1, by the subpath it is imported from. Types: exported-types.ts. */

/** Which subpath it is, is known only when the test runs. */
const load = (subpath: string) => import(/* @vite-ignore */ `@earendil-works/pi-ai/${subpath}`);
const split = (list: string): string[] => list.trim().split(/\s+/);
const ROOT = split(
  `
    EventStream AssistantMessageEventStream createAssistantMessageEventStream lazyStream lazyApi createModels
    createProvider hasApi getModelType isModelType modelsAreEqual calculateCost getSupportedThinkingLevels
    clampThinkingLevel ModelsError InMemoryModelsStore InMemoryCredentialStore envApiKeyAuth lazyOAuth
    defaultProviderAuthContext normalizeContext createInitialSystemMessage getInitialSystemMessage
    withoutInitialSystemMessage getCurrentTools getCurrentSystemMessage getCurrentSystemPrompt
    collapseSystemMessages resolveTranscript resolveTranscriptTools toToolDeclaration declarationsEqual
    getToolStateChanges getDeclaredTools hasToolRedefinitions hasNonAdditiveToolChanges contentText
    getSystemMessageText renderSystemMessageUpdate parseStreamingJson parseJsonWithRepair repairJson
    parseToolCallArguments StreamingJsonParser ToolCallArgumentsStream validateToolCall validateToolArguments
    StringEnum isContextOverflow isRecoverableLength getOverflowPatterns isRetryableAssistantError
    retryAssistantCall retryDelayMs DEFAULT_MAX_AGENT_RETRY_DELAY_MS appendAssistantMessageDiagnostic
    createAssistantMessageDiagnostic extractDiagnosticError formatThrownValue PI_ATTRIBUTION PI_AI_VERSION
    formatUserAgent getAttributionHeaders getClientVersion getIdentityHeaders getOpenCodeSessionHeaders
    mergeClientIdentity withClientIdentity uuidv7 registerSessionResourceCleanup cleanupSessionResources
    fauxProvider createFauxCore fauxAssistantMessage fauxText fauxThinking fauxToolCall AI_TELEMETRY_SCHEMA
    getPromptCacheTtlMs getCacheWarmingDelayMs isCacheWarmingReplayable getCacheWarmingRequestOptions
    evaluateCacheWarming CACHE_WARMING_MAX_AGE_MS CACHE_WARMING_MAX_IDLE_AGE_MS
    CACHE_WARMING_MINIMUM_EXPECTED_SAVINGS CACHE_WARMING_IDLE_CONTINUATION_PROBABILITY
  `,
);
const COMPAT = split(
  `
    stream complete streamSimple completeSimple getModel getModels getProviders registerApiProvider
    unregisterApiProviders getApiProvider getApiProviders registerBuiltInApiProviders resetApiProviders
    registerFauxProvider findEnvKeys getEnvApiKey anthropicMessagesApi openAICompletionsApi openAIResponsesApi
    azureOpenAIResponsesApi openAICodexResponsesApi googleGenerativeAIApi googleVertexApi mistralConversationsApi
    bedrockConverseStreamApi piMessagesApi streamAnthropic streamAzureOpenAIResponses streamGoogle
    streamGoogleVertex streamMistral streamOpenAICodexResponses streamOpenAICompletions streamOpenAIResponses
    streamSimpleAnthropic streamSimpleAzureOpenAIResponses streamSimpleGoogle streamSimpleGoogleVertex
    streamSimpleMistral streamSimpleOpenAICodexResponses streamSimpleOpenAICompletions streamSimpleOpenAIResponses
    ANTHROPIC_AUTH_TOKEN_ENV ANTHROPIC_OAUTH_TOKEN_ENV ANTHROPIC_API_KEY_ENV ANTHROPIC_FEDERATION_RULE_ID_ENV
    ANTHROPIC_ORGANIZATION_ID_ENV ANTHROPIC_SERVICE_ACCOUNT_ID_ENV ANTHROPIC_IDENTITY_TOKEN_FILE_ENV
    ANTHROPIC_WORKSPACE_ID_ENV getImageModel getImageModels getImageProviders generateImages
    generateImagesOpenRouter registerImagesApiProvider getImagesApiProvider registerBuiltInImagesApiProviders
    setBedrockProviderModule setBedrockProviderLoader
  `,
);
const MODELS = split(
  `
    createModels createProvider hasApi getModelType isModelType modelsAreEqual calculateCost
    getSupportedThinkingLevels clampThinkingLevel ModelsError
  `,
);
const ALL = split(
  `
    getBuiltinModel getBuiltinModels getBuiltinProviders getAllBuiltinModels getBuiltinModelDataGeneratedAt
    builtinProviders builtinModels getBuiltinImageModel getBuiltinImageModels getBuiltinClassifierModel
    getBuiltinClassifierModels radiusProvider
  `,
);

test.each<[string, () => Promise<object>, string[]]>([
  ["the root", () => import("@earendil-works/pi-ai"), ROOT],
  ["./compat", () => import("@earendil-works/pi-ai/compat"), [...ROOT, ...COMPAT]],
  ["./models", () => import("@earendil-works/pi-ai/models"), MODELS],
  ["./providers/all", () => import("@earendil-works/pi-ai/providers/all"), ALL],
  [
    "./session-resources",
    () => import("@earendil-works/pi-ai/session-resources"),
    ["registerSessionResourceCleanup", "cleanupSessionResources"],
  ],
])("%s has every value of the contract", async (_subpath, load, names) => {
  const values = await load();
  expect(names.filter((name) => !(name in values))).toEqual([]);
});

test("the root has none of the old global functions", async () => {
  const root = await import("@earendil-works/pi-ai");
  expect(["stream", "complete", "getModel", "Type"].filter((name) => name in root)).toEqual([]);
});

describe("./providers/<id> and ./providers/<id>.models", () => {
  const folder = new URL("../src/providers/entries/", import.meta.url);

  test("there is one for each built-in provider, and no other", () => {
    const files = readdirSync(folder).map((name) => name.replace(/\.ts$/, ""));
    expect(files.sort()).toEqual(providerTable.map(({ id }) => id).sort());
  });

  test.each(providerTable.map(({ id }) => id))("%s", async (id) => {
    const camel = id.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
    for (const subpath of [id, `${id}.models`]) {
      const entry = await load(`providers/${subpath}`);
      expect(entry[`${camel}Provider`]()).toMatchObject({ id });
      expect(entry[`${camel}Models`]()).toEqual(entry[`${camel}Provider`]().getModels());
    }
  });
});

describe("./api/<api> and ./api/<api>.lazy", () => {
  test.each(builtinApiIds())("%s", async (api) => {
    expect(await load(`api/${api}`)).toMatchObject({
      stream: expect.any(Function),
      streamSimple: expect.any(Function),
    });
    const lazy = await load(`api/${api}.lazy`);
    expect(lazy.anthropicMessagesApi()).toMatchObject({ stream: expect.any(Function) });
  });

  test("the exports map names each of them", () => {
    const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const named = Object.keys(exports).filter((name) => /^\.\/api\/[^*]+$/.test(name));
    expect(named.map((name) => name.replace("./api/", "")).sort()).toEqual([...builtinApiIds()].sort());
  });
});

test("what is not in this release says so when it is used", async () => {
  const compat = await import("@earendil-works/pi-ai/compat");
  const all = await import("@earendil-works/pi-ai/providers/all");
  expect([
    compat.getImageModels("openrouter"),
    compat.getImageProviders(),
    all.getBuiltinImageModels("openrouter"),
  ]).toEqual([[], [], []]);
  expect([compat.getImageModel("a", "b"), all.getBuiltinClassifierModel("a", "b")]).toEqual([undefined, undefined]);
  const model = { type: "image" } as Parameters<typeof compat.generateImages>[0];
  for (const generate of [compat.generateImages, compat.generateImagesOpenRouter]) {
    expect(await generate(model, { input: [] })).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringContaining("not available"),
    });
  }
  expect(() => compat.registerImagesApiProvider({ api: "x", generateImages: compat.generateImages })).toThrow(
    /not available/,
  );
  expect(() => compat.setBedrockProviderLoader(() => undefined)).toThrow(/registerApiProvider/);
});
