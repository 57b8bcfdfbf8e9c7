import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../../../scripts/lib/chromium.mjs";
import { useFleet } from "./fleet.js";

const executablePath = findChromium();
/** A machine without a browser cannot run these tests; CI must. */
const hasNoBrowser = executablePath === undefined && process.env["CI"] === undefined;

const patience = { timeout: 30_000 };

describe.skipIf(hasNoBrowser)("the fleet page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
    });
  });
  afterAll(() => browser?.close());

  const start = useFleet();

  it("shows agents and what they say, takes prompts and ends agents, by keyboard alone", {
    timeout: 90_000,
  }, async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    const fleet = await start(() => ({ blocks: [{ type: "text", text: hostile }] }));
    fleet.addExtension(
      `pi.registerCommand("ask", { description: "x", handler: (args, ctx) => ctx.ui.input("Name?").then(() => {}) });`,
    );
    await fleet.serve("--http", "0");
    const first = await fleet.spawn({ label: "first", policy: "never" });
    const second = await fleet.spawn({ label: "second" });
    const page = await browser.newPage();
    const incidents: string[] = [];
    page.on("console", (message) => incidents.push(message.text()));
    page.on("pageerror", (error) => incidents.push(error.message));
    await page.goto(fleet.served.serving?.gateway ?? "");
    await page.waitForSelector('nav button[aria-current="true"]');
    expect(page.url()).not.toContain("token");
    await expect.poll(() => page.locator("nav button").count(), patience).toBe(2);

    // The field for prompts has the focus from the start.
    await page.waitForSelector("#message:focus");
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await page.waitForSelector('article[data-role="assistant"]');
    expect(await page.textContent('article[data-role="user"]')).toBe("Hello");
    expect(await page.textContent('article[data-role="assistant"]')).toBe(hostile);
    await expect.poll(() => page.textContent("#facts"), patience).toContain("$");

    // A question that somebody else answers goes away.
    await fleet.client.call("prompt", { instanceId: first.id, message: "/ask" });
    await page.waitForSelector("#dialogs form");
    const { dialogs } = await fleet.client.call("status", { instanceId: first.id });
    const stream = await fleet.client.stream(first.id, "now", () => {});
    stream.send({ type: "extension_ui_response", id: dialogs[0]?.id, value: "Ada" });
    await page.waitForSelector("#dialogs form", { state: "detached" });
    stream.close();

    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => page.textContent("#name"), patience).toBe("second");
    expect(await page.$$("article")).toEqual([]);
    await page.focus("#stop");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("nav button").count(), patience).toBe(1);
    const { instances } = await fleet.client.call("list", {});
    expect(instances.map(({ id }) => id)).toEqual([first.id]);
    expect(instances.map(({ id }) => id)).not.toContain(second.id);
    expect(incidents).toEqual([]);

    // What was said is there also when the agent is not.
    process.kill(instances[0]?.pid ?? 0, "SIGKILL");
    await fleet.until(first.id, ({ status }) => status === "stopped", "the end");
    await page.reload();
    await page.waitForSelector('article[data-role="assistant"]');
    expect(await page.textContent('article[data-role="user"]')).toBe("Hello");
    await page.close();
  });

  it("puts the questions of extensions, and gives the first answer to each", { timeout: 90_000 }, async () => {
    const fleet = await start();
    await fleet.serve("--http", "0");
    const { id } = await fleet.spawn();
    const page = await browser.newPage();
    const dialogs = [
      { type: "extension_ui_request", id: "d1", method: "select", title: "Which?", options: ["left", "right"] },
      { type: "extension_ui_request", id: "d2", method: "confirm", title: "Sure?", message: "It is <b>final</b>." },
      { type: "extension_ui_request", id: "d3", method: "input", title: "Name?" },
    ];
    const answers: Record<string, unknown> = {};
    await page.route(`**/v1/instances/${id}`, (route) => route.fulfill({ json: { ok: true, dialogs } }));
    await page.route("**/dialogs/*", async (route) => {
      answers[route.request().url().split("/").at(-1) ?? ""] = route.request().postDataJSON();
      await route.fulfill({ json: { ok: true, answered: !route.request().url().endsWith("d3") } });
    });
    const sent: string[] = [];
    await page.route("**/prompts", async (route) => {
      sent.push(route.request().postData() ?? "");
      await route.fulfill({
        status: sent.length === 1 ? 500 : 200,
        json: { ok: sent.length > 1, error: "A full disk." },
      });
    });
    await page.goto(fleet.served.serving?.gateway ?? "");
    await page.waitForSelector("#dialogs form:nth-child(3)");
    expect(await page.textContent("#dialogs form:nth-child(2) p")).toBe("Sure?\nIt is <b>final</b>.");
    await page.focus('#dialogs button:text("right")');
    await page.keyboard.press("Enter");
    await page.focus('#dialogs button:text("Yes")');
    await page.keyboard.press("Enter");
    await page.focus("#dialogs input");
    await page.keyboard.type("Ada");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => answers, patience)
      .toEqual({ d1: { value: "right" }, d2: { confirmed: true }, d3: { value: "Ada" } });
    expect(await page.$$("#dialogs form")).toEqual([]);
    await expect.poll(() => page.textContent("#notice"), patience).toContain("The answer was not taken");

    // A text that was not taken stays, and sending it again gives the same prompt.
    await page.focus("#message");
    await page.keyboard.type("Keep me");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent("#notice"), patience).toBe("A full disk.");
    expect(await page.inputValue("#message")).toBe("Keep me");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.inputValue("#message"), patience).toBe("");
    expect(sent.length).toBe(2);
    expect(sent[1]).toBe(sent[0]);
    await page.close();
  });
});
