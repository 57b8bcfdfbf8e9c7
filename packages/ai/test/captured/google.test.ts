import { describe, expect, test } from "vitest";
import type { Message, Model, SimpleStreamOptions, Tool } from "../../src/types.js";
import {
  answer,
  ENOENT,
  hi,
  image,
  model,
  parameters,
  result,
  SIGNATURE,
  SYS,
  sent,
  strictForm,
  twoCalls,
  user,
} from "./captured.js";

/** Requests of llm-wire.md section 7. */

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
