import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageFrame } from "./page-frame.js";

describe("the frame of a page", () => {
  const { before, after } = pageFrame("T");
  const page = before + after;

  it("allows its own script and style by their hashes, and nothing else", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
    const hash = (tag: string) => {
      const [, text = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
      expect(text.length).toBeGreaterThan(1000);
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hash("script")}`,
      `style-src ${hash("style")}`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it("has no part left to fill, and no comment or script that begins within its script", () => {
    expect(page).not.toMatch(/\{\{\w+\}\}/);
    expect(page).not.toContain("<!--");
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toContain("\r");
  });

  it("shows any title as it is", () => {
    expect(pageFrame("</title><script>$& $' {{script}}").before).toContain(
      "<title>&#60;/title&#62;&#60;script&#62;$&#38; $&#39; {{script}}</title>",
    );
    fc.assert(
      fc.property(fc.string(), (title) => {
        const [, shown = ""] = /<title>([\s\S]*?)<\/title>/.exec(pageFrame(title).before) ?? [];
        expect(shown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).toBe(title);
      }),
    );
  });
});
