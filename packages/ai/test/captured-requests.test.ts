import { describe, expect, test } from "vitest";
import { getApiProvider } from "../src/api-registry.js";
import { normalizeContext } from "../src/transcript/context.js";
import type { AssistantMessage, Context, Message, Model, SimpleStreamOptions, Tool } from "../src/types.js";
import { keyFor } from "./all-apis.js";

/** Requests of the APIs of llm-wire.md sections 4, 5, 7, 8 and 9, and hand-overs to them (section 12). */

const SYS = "You are helpful.";
const SID = "0198c0de-0000-7000-8000-000000000000";
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const strictForm = { ...parameters, additionalProperties: false };
const strict = { type: "json_schema", strict: "prefer" } as const;
const tools: Tool[] = [{ name: "read", description: "Reads", parameters, constrainedSampling: strict }];
const ENOENT = "ENOENT: no such file or directory, access 'missing.txt'";

function model(api: string, overrides: Partial<Model> = {}): Model {
  return {
    id: "m",
    name: "M",
    api,
    provider: "p",
    baseUrl: "http://127.0.0.1:9",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 16_384,
    ...overrides,
  };
}

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  payload: Record<string, unknown>;
  message: AssistantMessage;
}

/** What is sent; the answer does not matter. */
async function sent(
  target: Model,
  messages: Message[],
  options: SimpleStreamOptions & { location?: string } = {},
  how: "streamSimple" | "stream" = "streamSimple",
  context: Partial<Context> = {},
): Promise<Sent> {
  const provider = getApiProvider(target.api);
  if (!provider) throw new Error(`no provider for ${target.api}`);
  const result: Partial<Sent> = {};
  result.message = await provider[how](target, normalizeContext({ systemPrompt: SYS, messages, tools, ...context }), {
    apiKey: keyFor(target.api),
    sessionId: SID,
    onPayload: (payload: unknown) => {
      result.payload = payload as Record<string, unknown>;
    },
    fetch: async (url: unknown, init?: RequestInit) => {
      result.url = String(url);
      result.headers = init?.headers as Record<string, string>;
      const { body } = init ?? {};
      result.body = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array));
      return new Response("", { status: 400 });
    },
    ...options,
  }).result();
  return result as Sent;
}

const hi: Message = { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 };
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }], timestamp: 9 });

function answer(from: Model, content: AssistantMessage["content"], overrides: Partial<AssistantMessage> = {}): Message {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content,
    api: from.api,
    provider: from.provider,
    model: from.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason: "toolUse",
    timestamp: 2,
    ...overrides,
  };
}

function result(toolCallId: string, text: string, isError = false): Extract<Message, { role: "toolResult" }> {
  const content = [{ type: "text" as const, text }];
  return { role: "toolResult", toolCallId, toolName: "read", content, isError, timestamp: 3 };
}

const SIGNATURE = "c2lnMQ==";
const image = [
  { type: "text" as const, text: "Read image file [image/png]" },
  { type: "image" as const, data: "aW1n", mimeType: "image/png" },
];

/** "pondering", "Hello", two calls and their results, as `from` stored them. */
function twoCalls(
  from: Model,
  ids: [string, string],
  signatures: { thinking?: string; text?: string; call?: string },
): Message[] {
  const [first, second] = ids;
  const call = (id: string, path: string, thoughtSignature?: string) => ({
    type: "toolCall" as const,
    id,
    name: "read",
    arguments: { path },
    ...(thoughtSignature ? { thoughtSignature } : {}),
  });
  return [
    hi,
    answer(from, [
      {
        type: "thinking",
        thinking: "pondering",
        ...(signatures.thinking ? { thinkingSignature: signatures.thinking } : {}),
      },
      { type: "text", text: "Hello", ...(signatures.text ? { textSignature: signatures.text } : {}) },
      call(first, "a.txt", signatures.call),
      call(second, "missing.txt"),
    ]),
    result(first, "file a\n"),
    result(second, ENOENT, true),
  ];
}

describe("google-generative-ai", () => {
  const gemini3 = model("google-generative-ai", { id: "gemini-3-pro" });
  const gemini25 = model("google-generative-ai", { id: "gemini-2.5-pro" });
  const declaration = (schema: object) => [
    { functionDeclarations: [{ name: "read", description: "Reads", parametersJsonSchema: schema }] },
  ];
  const systemInstruction = { parts: [{ text: SYS }], role: "user" };
  const contents = [{ parts: [{ text: "hi" }], role: "user" }];

  test("first request, thinking off", async () => {
    const { url, headers, body } = await sent(gemini3, [hi]);
    expect(url).toBe("http://127.0.0.1:9/models/gemini-3-pro:streamGenerateContent?alt=sse");
    expect(headers).toMatchObject({ "x-goog-api-key": "key" });
    expect(headers).not.toHaveProperty("authorization");
    expect(body).toEqual({
      contents,
      systemInstruction,
      tools: declaration(strictForm),
      toolConfig: { functionCallingConfig: { mode: "VALIDATED" } },
      generationConfig: { maxOutputTokens: 16_384, thinkingConfig: { thinkingBudget: 0 } },
    });
    expect((await sent(gemini25, [hi])).body).toEqual({
      contents,
      systemInstruction,
      tools: declaration(parameters),
      generationConfig: { maxOutputTokens: 16_384, thinkingConfig: { thinkingBudget: 0 } },
    });
  });

  const thinking = async (target: Model, options: SimpleStreamOptions) =>
    ((await sent(target, [hi], options)).body["generationConfig"] as Record<string, unknown>)["thinkingConfig"];

  test.each<[string, SimpleStreamOptions, Partial<Model>, object | undefined]>([
    ["gemini-3-pro", { reasoning: "high" }, {}, { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-2.5-pro", { reasoning: "high" }, {}, { includeThoughts: true, thinkingBudget: 32_768 }],
    ["gemini-2.5-flash-lite", { reasoning: "minimal" }, {}, { includeThoughts: true, thinkingBudget: 512 }],
    ["gemini-2.5-flash", { reasoning: "minimal" }, {}, { includeThoughts: true, thinkingBudget: 128 }],
    ["gemini-2.0-x", { reasoning: "low" }, {}, { includeThoughts: true, thinkingBudget: -1 }],
    [
      "gemini-2.5-pro",
      { reasoning: "low", thinkingBudgets: { low: 99 } },
      {},
      { includeThoughts: true, thinkingBudget: 99 },
    ],
    [
      "gemma-4-26b",
      { reasoning: "high" },
      { thinkingLevelMap: { high: "HIGH" } },
      { includeThoughts: true, thinkingLevel: "HIGH" },
    ],
    [
      "gemini-4-neon",
      { reasoning: "xhigh" },
      { thinkingLevelMap: { xhigh: "xhigh" } },
      { includeThoughts: true, thinkingLevel: "HIGH" },
    ],
    ["gemini-3-flash", {}, { thinkingLevelMap: { off: null } }, { thinkingLevel: "MINIMAL" }],
    ["gemini-3.1-pro", {}, { thinkingLevelMap: { off: null, minimal: null } }, { thinkingLevel: "LOW" }],
    ["gemini-flash-latest", {}, { thinkingLevelMap: { off: null } }, { thinkingLevel: "MINIMAL" }],
    ["gemini-pro-latest", {}, { thinkingLevelMap: { off: null } }, undefined],
    ["gemini-3-pro", { reasoning: "high" }, { reasoning: false }, undefined],
  ])("thinking of %s with %j", async (id, options, overrides, expected) => {
    expect(await thinking(model("google-generative-ai", { id, ...overrides }), options)).toEqual(expected);
  });

  test("after two calls", async () => {
    const ids: [string, string] = ["read_1796027742302_1", "read_1796027742302_2"];
    const call = (args: object, id?: string) => ({ name: "read", args, ...(id ? { id } : {}) });
    for (const [target, withIds] of [
      [gemini3, true],
      [gemini25, false],
    ] as const) {
      const messages = twoCalls(target, ids, { text: SIGNATURE, call: SIGNATURE });
      const { body } = await sent(target, messages);
      const id = (index: number) => (withIds ? ids[index] : undefined);
      expect((body["contents"] as unknown[]).slice(1)).toEqual([
        {
          role: "model",
          parts: [
            { text: "pondering", thought: true },
            { text: "Hello", thoughtSignature: SIGNATURE },
            { functionCall: call({ path: "a.txt" }, id(0)), thoughtSignature: SIGNATURE },
            { functionCall: call({ path: "missing.txt" }, id(1)) },
          ],
        },
        {
          role: "user",
          parts: [
            {
              functionResponse: {
                name: "read",
                response: { output: "file a\n" },
                ...(withIds ? { id: ids[0] } : {}),
              },
            },
            { functionResponse: { name: "read", response: { error: ENOENT }, ...(withIds ? { id: ids[1] } : {}) } },
          ],
        },
      ]);
    }
  });

  test("tool image", async () => {
    const inlineData = { mimeType: "image/png", data: "aW1n" };
    const messages = (target: Model): Message[] => [
      hi,
      answer(target, [{ type: "toolCall", id: "r_1", name: "read", arguments: {}, thoughtSignature: SIGNATURE }]),
      { ...result("r_1", ""), content: image },
    ];
    const response = { name: "read", response: { output: "Read image file [image/png]" } };
    expect(((await sent(gemini3, messages(gemini3))).body["contents"] as unknown[]).slice(2)).toEqual([
      { role: "user", parts: [{ functionResponse: { ...response, parts: [{ inlineData }], id: "r_1" } }] },
    ]);
    expect(((await sent(gemini25, messages(gemini25))).body["contents"] as unknown[]).slice(2)).toEqual([
      { role: "user", parts: [{ functionResponse: response }] },
      { role: "user", parts: [{ text: "Tool result image:" }, { inlineData }] },
    ]);
  });

  test("signatures that are no base64 stay out", async () => {
    const messages = [hi, answer(gemini3, [{ type: "text", text: "x", textSignature: "no!" }]), user("y")];
    const { body } = await sent(gemini3, messages);
    expect((body["contents"] as unknown[])[1]).toEqual({ role: "model", parts: [{ text: "x" }] });
  });

  test("from the Responses API", async () => {
    const from = model("openai-responses", { id: "gpt-r", provider: "resp" });
    const item = JSON.stringify({ type: "reasoning", id: "rs_1", summary: [] });
    const messages = twoCalls(from, ["call_t1|fc_t1", "call_t2|fc_t2"], { thinking: item, text: '{"v":1,"id":"m"}' });
    const { body } = await sent(gemini3, [...messages, user("continue please")]);
    expect((body["contents"] as unknown[])[1]).toEqual({
      role: "model",
      parts: [
        { text: "Hello" },
        { functionCall: { name: "read", args: { path: "a.txt" }, id: "call_t1_fc_t1" } },
        { functionCall: { name: "read", args: { path: "missing.txt" }, id: "call_t2_fc_t2" } },
      ],
    });
  });

  test("const becomes enum, in schemas only", async () => {
    const schema = {
      type: "object",
      properties: { kind: { const: "a" }, const: { type: "string", enum: ["const"], default: { const: 1 } } },
    };
    const plain: Tool[] = [{ name: "t", description: "T", parameters: schema }];
    const { body } = await sent(gemini25, [hi], {}, "streamSimple", { tools: plain });
    const [{ functionDeclarations }] = body["tools"] as [{ functionDeclarations: { parametersJsonSchema: object }[] }];
    expect(functionDeclarations[0]?.parametersJsonSchema).toEqual({
      type: "object",
      properties: { kind: { enum: ["a"] }, const: { type: "string", enum: ["const"], default: { const: 1 } } },
    });
  });

  test("tool choice", async () => {
    const { body } = await sent(gemini3, [hi], { toolChoice: "none" });
    expect(body["toolConfig"]).toEqual({ functionCallingConfig: { mode: "NONE" } });
  });
});

describe("google-vertex", () => {
  const gemini = model("google-vertex", {
    id: "gemini-3-pro",
    baseUrl: "https://{location}-aiplatform.googleapis.com",
  });
  const path = "publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse";
  const bearer = { apiKey: "", headers: { authorization: "Bearer token" } };

  test.each<[string, Partial<Model>, SimpleStreamOptions, string]>([
    ["key", {}, { env: {} }, `https://aiplatform.googleapis.com/v1/${path}`],
    [
      "key and location",
      {},
      { env: { GOOGLE_CLOUD_LOCATION: "europe-west1" } },
      `https://europe-west1-aiplatform.googleapis.com/v1/${path}`,
    ],
    [
      "sign-in",
      {},
      { ...bearer, env: { GOOGLE_CLOUD_LOCATION: "global", GCLOUD_PROJECT: "pro" } },
      `https://aiplatform.googleapis.com/v1/projects/pro/locations/global/${path}`,
    ],
    ["own base URL", { baseUrl: "http://gate/v1beta1/" }, { env: {} }, `http://gate/v1beta1/${path}`],
  ])("address with %s", async (_name, overrides, options, expected) => {
    expect((await sent({ ...gemini, ...overrides }, [hi], options)).url).toBe(expected);
  });

  test("what is missing is said", async () => {
    const env = { GOOGLE_CLOUD_PROJECT: "", GCLOUD_PROJECT: "", GOOGLE_CLOUD_LOCATION: "" };
    expect((await sent(gemini, [hi], { ...bearer, env })).message.errorMessage).toBe(
      "Vertex AI requires a location. Set GOOGLE_CLOUD_LOCATION or pass location in options.",
    );
    expect((await sent(gemini, [hi], { ...bearer, env, location: "x" }, "stream")).message.errorMessage).toBe(
      "Vertex AI requires a project ID. Set GOOGLE_CLOUD_PROJECT/GCLOUD_PROJECT or pass project in options.",
    );
  });

  test("the marker of ambient credentials is never sent", async () => {
    const env = { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" };
    const options = { apiKey: "<authenticated>", headers: { authorization: "Bearer token" }, env };
    const { headers } = await sent(gemini, [hi], options);
    expect(headers["x-goog-api-key"]).toBeUndefined();
    expect(headers["authorization"]).toBe("Bearer token");
  });
});

describe("azure-openai-responses", () => {
  const azure = model("azure-openai-responses", { id: "gpt-r", provider: "azure", baseUrl: "http://gate/base" });
  const env = { AZURE_OPENAI_BASE_URL: "", AZURE_OPENAI_RESOURCE_NAME: "", AZURE_OPENAI_API_VERSION: "" };

  test("first request", async () => {
    const { url, headers, body } = await sent(azure, [hi], { env, cacheRetention: "none" });
    expect(url).toBe("http://gate/base/responses?api-version=v1");
    expect(headers["api-key"]).toBe("key");
    for (const name of ["authorization", "session-id", "x-client-request-id"]) expect(headers[name]).toBeUndefined();
    expect(body).toEqual({
      model: "gpt-r",
      input: [
        { role: "developer", content: SYS },
        { role: "user", content: [{ type: "input_text", text: "hi" }] },
      ],
      stream: true,
      prompt_cache_key: SID,
      store: false,
      max_output_tokens: 16_384,
      tools: [{ type: "function", name: "read", description: "Reads", parameters: strictForm, strict: true }],
      reasoning: { effort: "none" },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["base URL", { AZURE_OPENAI_BASE_URL: "https://x.openai.azure.com" }, "https://x.openai.azure.com/openai/v1"],
    ["portal path", { AZURE_OPENAI_BASE_URL: "https://x.ai.azure.com/openai/" }, "https://x.ai.azure.com/openai/v1"],
    [
      "whole path",
      { AZURE_OPENAI_BASE_URL: "https://x.cognitiveservices.azure.com/openai/v1/responses" },
      "https://x.cognitiveservices.azure.com/openai/v1",
    ],
    ["other path", { AZURE_OPENAI_BASE_URL: "https://x.openai.azure.com/own" }, "https://x.openai.azure.com/own"],
    ["resource", { AZURE_OPENAI_RESOURCE_NAME: "res" }, "https://res.openai.azure.com/openai/v1"],
  ])("address from %s", async (_name, own, expected) => {
    const { url, body } = await sent(azure, [hi], {
      env: { ...env, ...own, AZURE_OPENAI_API_VERSION: "2026", AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "a=b, gpt-r = dep" },
    });
    expect(url).toBe(`${expected}/responses?api-version=2026`);
    expect(body["model"]).toBe("dep");
  });

  test("no address", async () => {
    const { message } = await sent({ ...azure, baseUrl: "" }, [hi], { env });
    expect(message.errorMessage).toBe(
      "Azure OpenAI base URL is required. Set AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME, or pass azureBaseUrl, azureResourceName, or model.baseUrl.",
    );
  });
});

describe("openai-codex-responses", () => {
  const codex = model("openai-codex-responses", { id: "gpt-c", provider: "openai-codex", baseUrl: "http://gate/api" });
  const options = { transport: "sse" } as const;

  test("first request", async () => {
    const plain: Tool = { name: "plain", description: "P", parameters };
    const { url, headers, body } = await sent(codex, [hi], options, "streamSimple", {
      tools: [...tools, plain],
    });
    expect(url).toBe("http://gate/api/codex/responses");
    expect(headers).toMatchObject({
      accept: "text/event-stream",
      authorization: `Bearer ${keyFor("openai-codex-responses")}`,
      "chatgpt-account-id": "acc_1",
      "openai-beta": "responses=experimental",
      originator: "pi",
      "session-id": SID,
      "x-client-request-id": SID,
    });
    expect(body).toEqual({
      model: "gpt-c",
      input: [
        { role: "developer", content: SYS },
        { role: "user", content: [{ type: "input_text", text: "hi" }] },
      ],
      stream: true,
      prompt_cache_key: SID,
      store: false,
      max_output_tokens: 16_384,
      text: { verbosity: "low" },
      tools: [
        { type: "function", name: "read", description: "Reads", parameters: strictForm, strict: true },
        { type: "function", name: "plain", description: "P", parameters, strict: null },
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      reasoning: { effort: "none", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    });
  });

  test.each([
    ["http://gate/codex", "http://gate/codex/responses"],
    ["http://gate/codex/responses/", "http://gate/codex/responses"],
  ])("address %s", async (baseUrl, expected) => {
    expect((await sent({ ...codex, baseUrl }, [hi], options)).url).toBe(expected);
  });

  test("a token that names no account, which is not quoted", async () => {
    const { message } = await sent(codex, [hi], { ...options, apiKey: "secret" });
    expect(message.errorMessage).toBe(
      "The sign-in token for provider openai-codex names no ChatGPT account. Sign in again.",
    );
  });

  test.each<[number, object, string]>([
    [429, { error: { message: "x" } }, "You have hit your ChatGPT usage limit."],
    [
      403,
      { error: { code: "usage_not_included", plan_type: "Plus", resets_in_seconds: 600 } },
      "You have hit your ChatGPT usage limit (plus plan). Try again in ~10 min.",
    ],
    [400, { error: { message: "bad" } }, 'OpenAI Codex API error (400): {"message":"bad"}'],
  ])("refusal %i %j", async (status, body, expected) => {
    const fetch = async (): Promise<Response> => new Response(JSON.stringify(body), { status });
    expect((await sent(codex, [hi], { ...options, fetch })).message.errorMessage).toBe(expected);
  });
});

describe("mistral-conversations", () => {
  const mistral = model("mistral-conversations", { id: "devstral" });

  test("first request; hooks see camel case", async () => {
    const { url, headers, body, payload } = await sent(mistral, [hi], { reasoning: "high", temperature: 0.5 });
    expect(url).toBe("http://127.0.0.1:9/v1/chat/completions");
    expect(headers).toMatchObject({ authorization: "Bearer key", accept: "text/event-stream", "x-affinity": SID });
    const common = {
      model: "devstral",
      stream: true,
      messages: [
        { role: "system", content: SYS },
        { role: "user", content: [{ type: "text", text: "hi" }] },
      ],
      tools: [{ type: "function", function: { name: "read", description: "Reads", parameters, strict: false } }],
      temperature: 0.5,
    };
    expect(body).toEqual({ ...common, max_tokens: 16_384, prompt_mode: "reasoning", prompt_cache_key: SID });
    expect(payload).toEqual({ ...common, maxTokens: 16_384, promptMode: "reasoning", promptCacheKey: SID });
  });

  test("no session, no thinking", async () => {
    const { headers, body } = await sent(mistral, [hi], { cacheRetention: "none" });
    expect(headers["x-affinity"]).toBeUndefined();
    expect(Object.keys(body).sort()).toEqual(["max_tokens", "messages", "model", "stream", "tools"]);
  });

  test.each<[SimpleStreamOptions, Partial<Model>, string | undefined]>([
    [{ reasoning: "high" }, { thinkingLevelMap: { off: "none", high: "hard" } }, "hard"],
    [{ reasoning: "low" }, { thinkingLevelMap: { off: "none" } }, "high"],
    [{}, { thinkingLevelMap: { off: "none" } }, "none"],
    [{}, { thinkingLevelMap: { high: "high" } }, undefined],
  ])("effort with %j and %j", async (options, overrides, expected) => {
    const { body } = await sent({ ...mistral, ...overrides }, [hi], options);
    expect([body["reasoning_effort"], body["prompt_mode"]]).toEqual([expected, undefined]);
  });

  test("after two calls, with an image and an error", async () => {
    const messages = twoCalls(mistral, ["abcdefgh1", "abcdefgh2"], {});
    messages[2] = { ...result("abcdefgh1", ""), content: image };
    const { body } = await sent(mistral, messages);
    const call = (id: string, path: string) => ({
      id,
      type: "function",
      function: { name: "read", arguments: JSON.stringify({ path }) },
      index: 0,
    });
    expect((body["messages"] as unknown[]).slice(2)).toEqual([
      {
        role: "assistant",
        prefix: false,
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "pondering" }] },
          { type: "text", text: "Hello" },
        ],
        tool_calls: [call("abcdefgh1", "a.txt"), call("abcdefgh2", "missing.txt")],
      },
      {
        role: "tool",
        tool_call_id: "abcdefgh1",
        name: "read",
        content: [
          { type: "text", text: "Read image file [image/png]" },
          { type: "image_url", image_url: "data:image/png;base64,aW1n" },
        ],
      },
      {
        role: "tool",
        tool_call_id: "abcdefgh2",
        name: "read",
        content: [{ type: "text", text: `[tool error] ${ENOENT}` }],
      },
    ]);
  });

  test("from Anthropic", async () => {
    const from = model("anthropic-messages", { id: "claude-x", provider: "anth" });
    const { body } = await sent(mistral, twoCalls(from, ["toolu_t1", "toolu_t2"], { thinking: SIGNATURE }));
    const [, , assistant, first, second] = body["messages"] as Record<string, unknown>[];
    const ids = ((assistant?.["tool_calls"] ?? []) as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{9}$/);
    expect([first?.["tool_call_id"], second?.["tool_call_id"]]).toEqual(ids);
    expect(assistant?.["content"]).toEqual([{ type: "text", text: "Hello" }]);
  });
});

describe("bedrock-converse-stream", () => {
  const claude = model("bedrock-converse-stream", {
    id: "anthropic.claude-sonnet-4-5-20250929-v1:0",
    maxTokens: 16_384,
  });
  const cachePoint = { cachePoint: { type: "default" } };

  test("high", async () => {
    const { url, headers, body } = await sent(claude, [hi], {
      reasoning: "high",
      headers: { "x-own": "1", host: "x" },
    });
    expect(url).toBe(`http://127.0.0.1:9/model/${encodeURIComponent(claude.id)}/converse-stream`);
    expect(headers).toMatchObject({
      authorization: "Bearer key",
      "amz-sdk-request": "attempt=1; max=3",
      "x-own": "1",
    });
    expect(headers["user-agent"]).toMatch(/ pi\/1\.6\.0$/);
    expect(body).toEqual({
      messages: [{ role: "user", content: [{ text: "hi" }, cachePoint] }],
      system: [{ text: SYS }, cachePoint],
      inferenceConfig: { maxTokens: 16_384 },
      toolConfig: {
        tools: [{ toolSpec: { name: "read", description: "Reads", inputSchema: { json: parameters } } }],
      },
      additionalModelRequestFields: {
        thinking: { type: "enabled", budget_tokens: 15_360, display: "summarized" },
        anthropic_beta: ["interleaved-thinking-2025-05-14"],
      },
    });
  });

  test.each<[string, SimpleStreamOptions, Partial<Model>, object | undefined]>([
    [
      "us.anthropic.claude-opus-5-5",
      { reasoning: "max" },
      { thinkingLevelMap: { max: "max" } },
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
    ],
    [
      "anthropic.claude-opus-4-6-v1",
      { reasoning: "minimal" },
      {},
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
    ],
    [
      "us-gov.anthropic.claude-opus-5-5",
      { reasoning: "low" },
      {},
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    ],
    ["openai.gpt-oss-120b-1:0", { reasoning: "low" }, {}, { reasoning_effort: "low" }],
    ["openai.gpt-6", { reasoning: "low" }, {}, { reasoning: { effort: "low" } }],
    ["amazon.nova-pro-v1:0", { reasoning: "low" }, {}, undefined],
    ["anthropic.claude-opus-5-5", {}, {}, undefined],
  ])("thinking of %s with %j", async (id, options, overrides, expected) => {
    const { body } = await sent({ ...claude, id, ...overrides }, [hi], options);
    expect(body["additionalModelRequestFields"]).toEqual(expected);
  });

  test.each<[string, string, boolean]>([
    ["anthropic.claude-3-5-haiku-20241022-v1:0", "M", true],
    ["anthropic.claude-3-7-sonnet-20250219-v1:0", "M", true],
    ["anthropic.claude-3-5-sonnet-20241022-v2:0", "M", false],
    ["anthropic.claude-sonnet-4-20250514-v1:0", "M", true],
    ["arn:aws:bedrock:eu-west-1:1:application-inference-profile/x", "Claude Opus 4.1", true],
    ["amazon.nova-pro-v1:0", "Nova Pro", false],
  ])("cache points of %s (%s): %s", async (id, name, expected) => {
    const { body } = await sent({ ...claude, id, name }, [hi]);
    expect(JSON.stringify(body).includes("cachePoint")).toBe(expected);
    const none = await sent({ ...claude, id, name }, [hi], { cacheRetention: "none" });
    expect(JSON.stringify(none.body)).not.toContain("cachePoint");
    const long = await sent({ ...claude, id, name }, [hi], {
      cacheRetention: "long",
      env: { AWS_BEDROCK_FORCE_CACHE: "1" },
    });
    expect(JSON.stringify(long.body)).toContain('"cachePoint":{"type":"default","ttl":"1h"}');
  });

  test("after two calls: results merged, image of an error moved, empty messages filled", async () => {
    const messages = twoCalls(claude, ["t1", "t2"], { thinking: SIGNATURE });
    messages[3] = { ...result("t2", "", true), content: image };
    const { body } = await sent(claude, [...messages, answer(claude, []), user(" ")], { cacheRetention: "none" });
    const picture = { image: { format: "png", source: { bytes: "aW1n" } } };
    expect((body["messages"] as unknown[]).slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "pondering", signature: SIGNATURE } } },
          { text: "Hello" },
          { toolUse: { toolUseId: "t1", name: "read", input: { path: "a.txt" } } },
          { toolUse: { toolUseId: "t2", name: "read", input: { path: "missing.txt" } } },
        ],
      },
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "t1", content: [{ text: "file a\n" }], status: "success" } },
          {
            toolResult: {
              toolUseId: "t2",
              content: [{ text: "Read image file [image/png]" }, { text: "(image attached after the tool results)" }],
              status: "error",
            },
          },
          { text: "Images from the error result of tool call t2 (read):" },
          picture,
        ],
      },
      { role: "assistant", content: [{ text: "<empty>" }] },
      { role: "user", content: [{ text: "<empty>" }] },
    ]);
  });

  test.each<[string, Partial<Model>, Record<string, string>, string]>([
    ["pinned", { baseUrl: "http://gate/x" }, { AWS_REGION: "eu-west-1" }, "http://gate/x/"],
    [
      "region of the base URL",
      { baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com" },
      {},
      "https://bedrock-runtime.eu-central-1.amazonaws.com/",
    ],
    [
      "region of the environment",
      { baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com" },
      { AWS_DEFAULT_REGION: "ap-south-1" },
      "https://bedrock-runtime.ap-south-1.amazonaws.com/",
    ],
    [
      "region of an ARN",
      {
        id: "arn:aws:bedrock:eu-west-3:1:inference-profile/x",
        baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
      },
      { AWS_REGION: "ap-south-1" },
      "https://bedrock-runtime.eu-west-3.amazonaws.com/",
    ],
    ["nothing", { baseUrl: "" }, {}, "https://bedrock-runtime.us-east-1.amazonaws.com/"],
  ])("address: %s", async (_name, overrides, env, expected) => {
    const { url } = await sent({ ...claude, ...overrides }, [hi], { env });
    expect(url.startsWith(`${expected}model/`)).toBe(true);
  });

  test("signed where there is no key, custom headers included", async () => {
    const env = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "secret", AWS_BEARER_TOKEN_BEDROCK: "" };
    const { headers } = await sent(claude, [hi], { apiKey: "<authenticated>", env, headers: { "x-own": "1" } });
    expect(headers["authorization"]).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d+\/us-east-1\/bedrock\/aws4_request/,
    );
    expect(headers["authorization"]).toMatch(/SignedHeaders=[^,]*x-own/);
  });

  test("no tools with tool choice none", async () => {
    const { body } = await sent(claude, [hi], { toolChoice: "none" });
    expect(body).not.toHaveProperty("toolConfig");
  });
});
