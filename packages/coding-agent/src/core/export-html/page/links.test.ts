import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inlinePicture, pictureAddress, safeLink } from "./links.js";

describe("links", () => {
  it.each([
    "http://a.b/c?d#e",
    "HTTPS://a.b",
    "mailto:a@b.c",
    "tel:+1",
    "ftp://a.b",
    "docs/a.md",
    "../a:b",
    "/a",
    "#a:b",
    "?a=b:c",
    "//a.b",
  ])("may lead to %s", (address) => {
    expect(safeLink(address)).toBe(address);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " \tjavascript:alert(1)",
    "java\nscript:alert(1)",
    "java\u0000script:alert(1)",
    "\u0001javascript:alert(1)",
    "java\u200bscript:alert(1)",
    "javascript :alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a/b",
    "view-source:javascript:1",
    "",
    " ",
  ])("stay text: %j", (address) => {
    expect(safeLink(address)).toBeUndefined();
  });

  it("have an allowed scheme as a browser reads them, whatever is written", () => {
    const piece = fc.constantFrom(
      ..."javascript:data http:&/\\\t\n\r\u0000\u0001\u00a0\u200b#?x".split(""),
      "javascript:",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const link = safeLink(pieces.join(""));
        if (link === undefined || !URL.canParse(link, "file:///page.html")) return;
        expect(new URL(link, "file:///page.html").protocol).toMatch(/^(https?|mailto|tel|ftp|file):$/);
      }),
    );
  });
});

describe("pictures", () => {
  it.each([
    ["image/png", "QUJD"],
    ["IMAGE/JPEG", "QQ=="],
    ["image/gif", "QU\nJD\n"],
  ])("%s %j is one", (mimeType, data) => {
    expect(pictureAddress(mimeType, data)).toBe(`data:${mimeType.toLowerCase()};base64,${data.replace(/\s/g, "")}`);
  });

  it.each([
    ["image/svg+xml", "QUJD"],
    ["text/html", "QUJD"],
    ['image/png" onerror="alert(1)', "QUJD"],
    ["image/png;x", "QUJD"],
    ["__proto__", "QUJD"],
    ["image/png", '"><script>'],
    ["image/png", ""],
    ["", "QUJD"],
  ])("%s %j is none", (mimeType, data) => {
    expect(pictureAddress(mimeType, data)).toBeUndefined();
  });

  it.each([
    ["data:image/png;base64,QUJD", true],
    ["data:image/svg+xml;base64,QUJD", false],
    ["data:text/html;base64,QUJD", false],
    ["https://a.b/c.png", false],
    ["c.png", false],
  ])("%s in Markdown is in the page: %s", (address, isInline) => {
    expect(inlinePicture(address) !== undefined).toBe(isInline);
  });
});
