import { describe, expect, test } from "vitest";
import type { Model, SimpleStreamOptions } from "../../src/types.js";
import { answer, hi, image, model, parameters, result, SIGNATURE, SYS, sent, twoCalls, user } from "./captured.js";

/** Requests of llm-wire.md section 9. */

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
