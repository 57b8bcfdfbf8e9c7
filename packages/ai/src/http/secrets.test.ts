import { describe, expect, test } from "vitest";
import { checkAddress, checkHeaders } from "./checks.js";
import { HttpSetupError } from "./errors.js";
import { secretsOf, shownUrl, withoutSecrets } from "./secrets.js";

const KEY = 'sk-"canary"/7d1f';

describe("secrets", () => {
  test.each([
    ["as it is", KEY],
    ["in JSON", JSON.stringify(KEY).slice(1, -1)],
    ["in a URL", encodeURIComponent(KEY)],
    ["in Base64", Buffer.from(KEY).toString("base64")],
    ["with its scheme, in Base64", Buffer.from(`Bearer ${KEY}`).toString("base64")],
  ])("are hidden %s", (_form, text) => {
    expect(withoutSecrets(`bad key ${text}!`, secretsOf({ authorization: `Bearer ${KEY}` }))).toBe("bad key [hidden]!");
  });

  test.each([
    ["x-own", "tok-canary8", true],
    ["x-own", "token tok-canary8", true],
    ["x-own", "short", false],
    ["content-type", "tok-canary8", false],
    ["anthropic-beta", "tok-canary8", false],
  ])("%s: %s: %s", (name, value, isHidden) => {
    const secrets = secretsOf({ [name]: value });
    expect(withoutSecrets("tok-canary8 short", secrets)).toBe(isHidden ? "[hidden] short" : "tok-canary8 short");
  });

  test("of an address", () => {
    const secrets = secretsOf({}, "https://user-name:pass%40word@host/v1?key=query-canary&api-version=2024-10-21");
    expect(withoutSecrets("user-name pass@word query-canary 2024-10-21", secrets)).toBe(
      "[hidden] [hidden] [hidden] 2024-10-21",
    );
  });
});

test.each([
  ["http://user:pw@host/v1?key=q&b=c#d", "http://host/v1?key=…&b=…"],
  ["htp://user:p@w@host", "htp://host"],
  ["no url?key=q", "no url?key=…"],
  ["https://host/a@b", "https://host/a@b"],
])("%s is shown as %s", (text, shown) => {
  expect(shownUrl(text)).toBe(shown);
});

describe("before sending", () => {
  const refusal = (run: () => void): string => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(HttpSetupError);
      return (error as Error).message;
    }
    return "";
  };

  test.each([
    ["sk-canary\r\nfoo", "a line break"],
    ["sk-canary\nx", "a line break"],
    ["sk\0-canary", "a character"],
    ["sk☃-canary", "a character"],
  ])("a header value %j is named, not quoted", (value, what) => {
    const text = refusal(() => checkHeaders({ accept: "a/b", "x-api-key": value }));
    expect(text).toContain(`The header "x-api-key" cannot be sent: its value holds ${what}`);
    expect(text).not.toContain("canary");
  });

  test.each(["", " spaced ", "ends\n", "é", "a\tb"])("a header value %j can be sent", (value) => {
    checkHeaders({ x: value });
    expect(new Headers({ x: value }).get("x")).toBe(value.trim());
  });

  test("a header name", () => {
    expect(refusal(() => checkHeaders({ "a b": "canary" }))).toContain('its name is not valid: "a b"');
  });

  test.each(["http://user:canary@host/v1", "http://canary@host/v1", "htt p://user:canary@host?a=canary", "?k=canary"])(
    "the address %s",
    (address) => {
      const text = refusal(() => checkAddress(address));
      expect(text).not.toBe("");
      expect(text).not.toContain("canary");
    },
  );
});
