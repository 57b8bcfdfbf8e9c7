import { expect, test } from "vitest";
import type { Model } from "../types.js";
import { requestUrl } from "./request-url.js";

const model = (baseUrl: string): Model => ({ baseUrl, provider: "p" }) as Model;

test("base URL, account parts and path", () => {
  expect(requestUrl(model("http://x/v1//"), "/responses", undefined)).toBe("http://x/v1/responses");
  expect(requestUrl(model("http://x/{PI_TEST_A}/{PI_TEST_B}/v1"), "/y", { PI_TEST_A: "a/b", PI_TEST_B: "c" })).toBe(
    "http://x/a%2Fb/c/v1/y",
  );
  expect(() => requestUrl(model("http://x/{PI_TEST_A}"), "/y", {})).toThrow(
    "The base URL of provider p needs the environment variable PI_TEST_A",
  );
});

test.each([
  ["", '""'],
  ["127.0.0.1:8080/v1", '"127.0.0.1:8080/v1"'],
  ["localhost:8080/v1", '"localhost:8080/v1"'],
  ["http//me:secret@host", '"http//host"'],
])("what is no address: %s", (baseUrl, shown) => {
  expect(() => requestUrl(model(baseUrl), "/x", {})).toThrow(
    `The base URL of provider p is not a URL: ${shown}. It has to begin with http:// or https://.`,
  );
});
