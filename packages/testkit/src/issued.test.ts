import { expect, test } from "vitest";
import { IssuedLedger } from "./issued.js";

test("a signature is good for its API and its text", () => {
  const issued = new IssuedLedger();
  issued.issue("anthropic-messages", "s", "a");
  issued.issue("anthropic-messages", "s", "b\ud800");
  expect(issued.verdict("anthropic-messages", "s", "a")).toBe("issued");
  expect(issued.verdict("anthropic-messages", "s", "b")).toBe("issued");
  expect(issued.verdict("anthropic-messages", "s", "c")).toBe("altered");
  expect(issued.verdict("anthropic-messages", "t", "a")).toBe("unknown");
  expect(issued.verdict("google-generative-ai", "s")).toBe("unknown");
  expect(issued.signatures()).toEqual(["s"]);
});

test("others can be accepted, one by one or all", () => {
  const issued = new IssuedLedger(["s"]);
  issued.accept("t");
  expect(issued.verdict("openai-responses", "s", "any text")).toBe("issued");
  expect(issued.verdict("openai-responses", "t")).toBe("issued");
  expect(issued.verdict("openai-responses", "u")).toBe("unknown");
  expect(new IssuedLedger("any").verdict("openai-responses", "u")).toBe("issued");
});
