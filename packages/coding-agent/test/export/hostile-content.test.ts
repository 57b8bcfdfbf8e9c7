import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PiFixture } from "../pi.js";
import { hasNoBrowser, type OpenedPage, openPage, startBrowser } from "./browser.js";
import { hostileSession, payloads } from "./hostile-session.js";

/** Everything in the document that could act: elements, attributes and addresses. */
const acting = `[...document.querySelectorAll("*")].flatMap((element) => {
  const found = [];
  if (/^(script|iframe|object|embed|form|base|link|foreignobject|use|audio|video)$/i.test(element.localName)) {
    found.push(element.localName);
  }
  for (const { name, value } of element.attributes) {
    if (/^on/i.test(name) || /^(srcdoc|style|formaction|xlink:href)$/i.test(name)) found.push(name + "=" + value);
    if (name === "href" && !/^(https?|mailto|tel|ftp|file):/.test(element.href)) found.push("href=" + value);
    if (name === "src" && !/^data:image\\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(value)) found.push("src=" + value);
  }
  return found;
}).filter((found) => !/^style=(top: \\d+px; padding-left: \\d+px;|height: \\d+px;)$/.test(found))`;

describe.skipIf(hasNoBrowser)("an exported session with hostile content", () => {
  let pi: PiFixture;
  let browser: Browser;
  let opened: OpenedPage;

  beforeAll(async () => {
    pi = await PiFixture.start([]);
    hostileSession().writeTo(join(pi.cwd, "hostile.jsonl"));
    const { stdout, stderr, code } = await pi.run(["--export", "hostile.jsonl", "hostile.html"]);
    expect({ stdout, stderr, code }).toEqual({ stdout: "Exported to: hostile.html\n", stderr: "", code: 0 });
    browser = await startBrowser();
    opened = await openPage(browser, join(pi.cwd, "hostile.html"), { query: "?leafId=__proto__&targetId=constructor" });
  });

  afterAll(async () => {
    await browser?.close();
    await pi?.close();
  });

  it("runs nothing and asks for nothing, whatever is opened", async () => {
    const { page } = opened;
    const leaves = (await page.evaluate(`[...document.querySelectorAll("#tree .row")].length`)) as number;
    expect(leaves).toBeGreaterThan(10);
    for (const branch of ["first", "last"]) {
      await page.locator("#tree").focus();
      await page.keyboard.press(branch === "first" ? "Home" : "End");
      await page.keyboard.press("Enter");
      await page.locator('.branch[aria-busy="false"]').waitFor();
      for (const key of ["t", "o", "h"]) await page.keyboard.press(key);
      await page.evaluate(`for (const fold of document.querySelectorAll("details")) fold.open = true`);
      expect(await page.evaluate(acting)).toEqual(["script"]);
    }
    await page.locator("#filter").selectOption("all");
    await page.locator("#search").fill(payloads[0] ?? "");
    expect(await page.evaluate("[window.pwned, {}.polluted]")).toEqual([undefined, undefined]);
    expect(opened.requests).toEqual([]);
    // Not even the page's policy had anything to stop.
    expect(opened.incidents).toEqual([]);
  });

  it("shows what was written", async () => {
    const { page } = opened;
    await page.locator("#search").fill("");
    await page.locator("#tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.locator('.branch[aria-busy="false"]').waitFor();
    expect(await page.locator(".entry").count()).toBeGreaterThan(300);
    const text = (await page.evaluate(`document.querySelector("#main").textContent`)) as string;
    for (const payload of payloads.filter((line) => /^[<'"-]/.test(line) && !line.includes("\n"))) {
      expect(text).toContain(payload);
    }
    expect(text).toContain("$& $` $' $1 $$ {{script}} {{data}}");
    expect(text).not.toContain("\u001b");
  });
});
