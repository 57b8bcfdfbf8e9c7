import { describe, expect, test } from "vitest";
import { fauxAssistantMessage } from "../faux/builders.js";
import type { AssistantMessage } from "../types.js";
import { classifyAssistantError, describeAssistantError } from "./classify.js";

const failed = (errorMessage: string, provider = "anthropic"): AssistantMessage => ({
  ...fauxAssistantMessage("", { stopReason: "error", errorMessage }),
  provider,
  model: "m-1",
});

describe("classifyAssistantError", () => {
  test.each([
    ['529 {"type":"error","error":{"type":"overloaded_error"}}', "retryable"],
    ["Connection error.: connect ECONNREFUSED 127.0.0.1:1", "retryable"],
    ["Google stream ended without a finish reason", "retryable"],
    ["Throttling error: Too many requests", "retryable"],
    ['{"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}}', "retryable"],
    ["Bad Gateway (status 502)", "retryable"],
    ['400 {"error":{"message":"prompt is too long: 200001 tokens"}}', "overflow"],
    ["Mistral API error (413): too big", "overflow"],
    ['429: {"code":"insufficient_quota"}', "quota"],
    ["You have hit your ChatGPT usage limit (plus plan). Try again in ~5 min.", "quota"],
    ['401 {"error":{"message":"invalid x-api-key"}}', "authentication"],
    ['Azure OpenAI API error (401): {"message":"Incorrect"}', "authentication"],
    ['{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}', "authentication"],
    ['{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}', "authentication"],
    ["Bedrock API error (403): AccessDeniedException: no", "authentication"],
    ["No API key for provider: x", "authentication"],
    ["Provider stopped with: SAFETY", "final"],
    ["Connection error.: requests to 127.0.0.1:6000 are blocked, …: bad port", "final"],
    ['400: {"message":"Unsupported parameter"}', "final"],
    ["", "final"],
  ])("%s: %s", (text, kind) => {
    expect(classifyAssistantError(failed(text))).toBe(kind);
  });

  test("answers that did not fail", () => {
    expect(classifyAssistantError(fauxAssistantMessage("fine"))).toBeUndefined();
    const aborted = { ...failed("Request was aborted"), stopReason: "aborted" as const };
    expect(classifyAssistantError(aborted)).toBeUndefined();
    expect(describeAssistantError(aborted)).toBeUndefined();
  });

  test("an overflow that only usage shows", () => {
    const message = fauxAssistantMessage("fine");
    message.usage.input = 1001;
    expect(classifyAssistantError(message, 1000)).toBe("overflow");
  });
});

test.each([
  [61, "61 seconds"],
  [900, "15 minutes"],
  [9999, "3 hours"],
])("a wait of %i s is said", (seconds, text) => {
  const told = describeAssistantError(failed(`Server requested ${seconds}s retry delay (max: 60s). 429: no`)) ?? "";
  expect(told).toContain(`: the provider wants to be left alone for ${text}. Try again then, or`);
});

test.each([
  ["401 no", "401 no\nanthropic/m-1 (status 401): "],
  ["x API error (429): no", "x API error (429): no\nanthropic/m-1 (status 429): "],
  ['{"error":{"code":503}}', '{"error":{"code":503}}\nanthropic/m-1 (status 503): '],
  ["Provider stopped with: SAFETY", "Provider stopped with: SAFETY\nanthropic/m-1: "],
])("people are told who failed and what to do: %s", (text, start) => {
  const told = describeAssistantError(failed(text)) ?? "";
  expect(told.startsWith(start)).toBe(true);
  expect(told.length).toBeGreaterThan(start.length + 20);
});
