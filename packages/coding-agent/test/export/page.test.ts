import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PiFixture } from "../pi.js";
import { hasNoBrowser, openPage, startBrowser } from "./browser.js";
import { SessionLines } from "./session-file.js";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A conversation that parts at its second question; the file ends on the second branch. */
function conversation() {
  const lines = new SessionLines();
  lines.add("model_change", { provider: "p", modelId: "m" });
  lines.message({ role: "system", content: "", sections: { base: "You are pi." }, toolsAdded: [{ name: "bash" }] });
  const ids = { first: lines.user("First **question**"), branching: "", left: "", second: "", leaf: "" };
  const tool = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
  lines.assistant([
    { type: "thinking", thinking: "Quiet thoughts" },
    { type: "text", text: "# Plan\n\n```js\nconst answer = 42;\n```\n\n<b>raw</b> [link](https://example.org/a)" },
    tool("c1", "bash", { command: "seq 8" }),
    tool("c2", "edit", { path: "a.ts", edits: [{ oldText: "x", newText: "y" }] }),
    tool("c3", "read", { path: "a.ts", offset: 2, limit: 3 }),
    tool("c4", "weather", { city: "Rome" }),
  ]);
  const result = (toolCallId: string, toolName: string, text: string, more: object = {}) =>
    lines.message({
      role: "toolResult",
      toolCallId,
      toolName,
      content: [{ type: "text", text }],
      isError: false,
      ...more,
    });
  result("c1", "bash", "1\n2\n3\n4\n5\n6\n7\n\u001b[31meight\u001b[0m\n");
  result("c2", "edit", "done", { details: { diff: " 1 a\n-2 x\n+2 y" } });
  result("c3", "read", "export const b = 'text';");
  ids.branching = result("c4", "weather", "No such city", { isError: true });
  ids.left = lines.user("Left road");
  lines.assistant([], { stopReason: "error", errorMessage: "overloaded" });
  lines.goTo(ids.branching);
  ids.second = lines.message({
    role: "user",
    content: [
      { type: "text", text: "Right road" },
      { type: "image", mimeType: "image/png", data: pixel },
    ],
  });
  lines.add("compaction", { summary: "All that *was* said", firstKeptEntryId: ids.second, tokensBefore: 12345 });
  lines.add("custom_message", { customType: "secret", content: "Behind the curtain", display: false });
  lines.message({ role: "bashExecution", command: "make", output: "built", exitCode: 2 });
  lines.add("branch_summary", { fromId: ids.left, summary: "The left road" });
  ids.leaf = lines.assistant([{ type: "text", text: "Arrived" }]);
  lines.add("label", { targetId: ids.second, label: "turning point" });
  return { lines, ids };
}

describe.skipIf(hasNoBrowser)("an exported session in a browser without a network", () => {
  const { lines, ids } = conversation();
  let pi: PiFixture;
  let browser: Browser;
  let path: string;
  const opened: Awaited<ReturnType<typeof openPage>>[] = [];

  beforeAll(async () => {
    pi = await PiFixture.start([]);
    lines.writeTo(join(pi.cwd, "talk.jsonl"));
    expect((await pi.run(["--export", "talk.jsonl", "talk.html"])).code).toBe(0);
    path = join(pi.cwd, "talk.html");
    browser = await startBrowser();
  });

  afterEach(async () => {
    for (const { page, requests, incidents } of opened.splice(0)) {
      expect({ requests, incidents }).toEqual({ requests: [], incidents: [] });
      await page.context().close();
    }
  });

  afterAll(async () => {
    await browser?.close();
    await pi?.close();
  });

  async function open(options?: Parameters<typeof openPage>[2]): Promise<Page> {
    const one = await openPage(browser, path, options);
    opened.push(one);
    await drawn(one.page);
    return one.page;
  }

  /** A branch is drawn in slices of time: what is asserted of it waits for the last. */
  const drawn = (page: Page) => page.locator('.branch[aria-busy="false"]').waitFor();
  const entries = async (page: Page) => {
    await drawn(page);
    // Not the inner text: entries out of sight may not have been laid out.
    return page.locator(".entry").allTextContents();
  };
  const rows = (page: Page) => page.locator("#tree .row").allInnerTexts();

  it("shows what the session is and used, and a chart", async () => {
    const page = await open();
    const facts = await page.locator(".facts").innerText();
    expect(facts).toContain("s-1");
    expect(facts).toContain("3 user, 3 assistant, 4 tool results");
    expect(facts).toContain("3,000 input, 600 output");
    expect(facts).toContain("$0.75");
    expect(await page.locator("svg.chart rect").count()).toBe(3);
    expect(await page.locator("svg.chart polyline").count()).toBe(1);
    expect(await page.locator("svg.chart").getAttribute("aria-label")).toBe(
      "Tokens of 3 requests, at most 1,200; cost so far, in the end $0.75",
    );
  });

  it("shows the branch that the session ended on", async () => {
    const page = await open();
    const shown = (await entries(page)).join("\n");
    for (const text of ["First question", "Right road", "Arrived", "Compaction of 12,345 tokens", "$ make", "exit 2"]) {
      expect(shown).toContain(text);
    }
    expect(shown).not.toContain("Left road");
    expect(await page.locator(".hidden-message").isVisible()).toBe(false);
    expect(await page.locator(".entry strong").innerText()).toBe("question");
    expect(await page.evaluate('document.querySelector("img.picture").naturalWidth')).toBe(1);
  });

  it("formats answers: headings, code in colours, raw HTML as it is, links", async () => {
    const page = await open();
    const answer = page.locator(".entry.assistant").first();
    expect(await answer.locator("h1").innerText()).toBe("Plan");
    expect(await answer.locator("pre .hljs-keyword").first().innerText()).toBe("const");
    expect(await answer.locator(".markdown").last().innerText()).toContain("<b>raw</b> link");
    const link = answer.locator("a");
    expect(await link.getAttribute("href")).toBe("https://example.org/a");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  });

  it("draws tool calls: command with its first lines, diff, file, others as JSON with their error", async () => {
    const page = await open();
    const [bash, edit, read, weather] = await page.locator(".tool").all();
    expect(await bash?.locator(".result").innerText()).toBe("1\n2\n3\n4\n5\nShow 3 more lines");
    expect(await edit?.locator(".diff .removed").innerText()).toBe("-2 x");
    expect(await edit?.locator(".diff .added").innerText()).toBe("+2 y");
    expect(await read?.locator(".call").innerText()).toContain("a.ts:2-4");
    expect(await read?.locator(".hljs-string").innerText()).toBe("'text'");
    expect(await weather?.innerText()).toContain('"city": "Rome"');
    expect(await weather?.locator(".error").innerText()).toBe("The tool failed:");
    await bash?.locator("button").click();
    expect(await bash?.locator(".result").innerText()).toContain("7\neight\nShow less");
  });

  it("folds and unfolds with T, O and H; Escape puts everything back", async () => {
    const page = await open();
    const state = async () => {
      await drawn(page);
      return Promise.all([
        page.locator(".thinking").first().getAttribute("open"),
        page.locator(".preview.open").count(),
        page.locator(".hidden-message").isVisible(),
      ]);
    };
    const before = await state();
    expect(before).toEqual([null, 0, false]);
    for (const key of ["t", "o", "h"]) await page.keyboard.press(key);
    const [thinking, previews, hidden] = await state();
    expect([thinking, Number(previews) > 0, hidden]).toEqual(["", true, true]);
    expect(await page.locator(".thinking").first().innerText()).toContain("Quiet thoughts");
    await page.keyboard.press("Escape");
    expect(await state()).toEqual(before);
    // Letters are text in the search field.
    await page.locator("#search").focus();
    await page.keyboard.type("toh");
    expect(await state()).toEqual(before);
  });

  it("goes to another branch and back by keyboard alone", async () => {
    const page = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("LEFT user");
    expect(await rows(page)).toEqual(["userLeft road"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect((await entries(page)).join("\n")).toContain("Error: overloaded");
    expect((await entries(page)).join("\n")).not.toContain("Right road");
    expect(await page.locator(".entry.target").innerText()).toContain("Left road");
    expect(new URL(page.url()).searchParams.get("targetId")).toBe(ids.left);
    await page.keyboard.press("Escape");
    expect((await entries(page)).join("\n")).toContain("Right road");
    await page.locator("#tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator(".entry.target").innerText()).toContain("First question");
    expect((await entries(page)).join("\n")).toContain("Right road");
  });

  it("shows a hidden message that one goes to", async () => {
    const page = await open();
    await page.locator("#tree .row", { hasText: "Behind the curtain" }).click();
    expect(await page.locator(".entry.target").innerText()).toContain("Behind the curtain");
    expect(await page.locator(".entry.target").isVisible()).toBe(true);
  });

  it("filters the tree", async () => {
    const page = await open();
    const filtered = async (name: string) => {
      await page.locator("#filter").selectOption(name);
      return rows(page);
    };
    // The leaf, a label, always shows.
    const leaf = "labelturning point";
    expect(await filtered("user-only")).toEqual([
      "userFirst **question**",
      "userLeft road",
      "userturning pointRight road",
      leaf,
    ]);
    expect(await filtered("labeled-only")).toEqual(["userturning pointRight road", leaf]);
    expect(await filtered("no-tools")).not.toContain("bash1 2 3 4 5 6 7 eight");
    expect(await filtered("default")).toContain("bash1 2 3 4 5 6 7 eight");
    expect(await filtered("all")).toContain("modelp/m");
  });

  it("goes where a link leads, and copies links that lead there", async () => {
    const page = await open({ query: `?targetId=${ids.left}` });
    expect(await page.locator(".entry.target").innerText()).toContain("Left road");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".entry", { hasText: "First question" }).locator(".copy-link").click();
    await page.locator(".copy-link", { hasText: "copied" }).waitFor();
    const copied = (await page.evaluate("navigator.clipboard.readText()")) as string;
    const other = await open({ query: new URL(copied).search });
    expect(await other.locator(".entry.target").innerText()).toContain("First question");
    expect((await entries(other)).join("\n")).toContain("Left road");
  });

  it("gives the session back as JSONL", async () => {
    const page = await open();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Download JSONL").click()]);
    expect(download.suggestedFilename()).toBe("s-1.jsonl");
    const saved = join(pi.cwd, "saved.jsonl");
    await download.saveAs(saved);
    const parsed = (file: string) =>
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(parsed(saved)).toEqual(parsed(join(pi.cwd, "talk.jsonl")));
    // The download itself is a request to the page's own memory.
    const [own] = opened;
    expect(own?.requests.splice(0).every((url) => url.startsWith("blob:"))).toBe(true);
  });

  it("is light or dark as the system is, and readable both ways", async () => {
    const colours = async (colorScheme: "light" | "dark") => {
      const page = await open({ colorScheme });
      return (await page.evaluate(
        `["#main", "body"].map((of) => getComputedStyle(document.querySelector(of)))
          .flatMap(({ color }, at) => at === 0 ? [color] : [getComputedStyle(document.body).backgroundColor])
          .map((rgb) => rgb.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0))`,
      )) as [number, number];
    };
    const [lightText, lightPage] = await colours("light");
    const [darkText, darkPage] = await colours("dark");
    expect(lightPage - lightText).toBeGreaterThan(400);
    expect(darkText - darkPage).toBeGreaterThan(400);
  });

  it("changes the width of the tree by keyboard", async () => {
    const page = await open();
    const width = async () => (await page.locator("#sidebar").boundingBox())?.width;
    const before = Number(await width());
    await page.locator("#divider").focus();
    await page.keyboard.press("ArrowRight");
    expect(await width()).toBe(before + 20);
  });

  it("jumps in a conversation of thousands of entries, and draws what one sees", async () => {
    const long = new SessionLines();
    for (let number = 0; number < 3000; number++) long.user(`Question ${number}`);
    long.writeTo(join(pi.cwd, "long.jsonl"));
    expect((await pi.run(["--export", "long.jsonl", "long.html"])).code).toBe(0);
    const { page, requests, incidents } = await openPage(browser, join(pi.cwd, "long.html"), {
      query: "?targetId=e2990",
    });
    expect(await page.locator(".entry.target").innerText()).toContain("Question 2990");
    await page.locator(".entry", { hasText: "Question 2991" }).waitFor();
    expect(await page.locator(".entry", { hasText: "Question 1500" }).count()).toBe(0);
    await page.locator("#tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.locator(".entry.target", { hasText: "Question 0" }).waitFor();
    await page.locator(".entry", { hasText: "Question 5" }).first().waitFor();
    expect({ requests, incidents }).toEqual({ requests: [], incidents: [] });
    await page.context().close();
  });
});
