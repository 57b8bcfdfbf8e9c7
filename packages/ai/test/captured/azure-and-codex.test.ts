import { describe, expect, test } from "vitest";
import type { Tool } from "../../src/types.js";
import { keyFor } from "../all-apis.js";
import { hi, model, parameters, SID, SYS, sent, strictForm, tools } from "./captured.js";

/** Requests of llm-wire.md sections 4 and 5. */

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
