import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../../scripts/lib/chromium.mjs";

/** A machine without a browser cannot run these tests; CI must. */
export const hasNoBrowser = findChromium() === undefined && process.env["CI"] === undefined;

export function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium found. Install Debian's package chromium, or set PI_CHROMIUM.");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
}

/** A page from the disk, in a browser without a network, with everything that must not happen written down. */
export interface OpenedPage {
  page: Page;
  /** Requests beyond the page itself and pictures within it. */
  requests: string[];
  /** Errors, dialogs, new windows and what the page's policy had to stop. */
  incidents: string[];
}

export async function openPage(
  browser: Browser,
  path: string,
  { query = "", colorScheme = "light" }: { query?: string; colorScheme?: "light" | "dark" } = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ offline: true, colorScheme, viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  const opened: OpenedPage = { page, requests: [], incidents: [] };
  const address = `${pathToFileURL(path).href}${query}`;
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:image/")) opened.requests.push(request.url());
  });
  page.on("console", (message) => opened.incidents.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => opened.incidents.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    opened.incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (other) => opened.incidents.push(`window: ${other.url()}`));
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame()) opened.incidents.push(`frame: ${frame.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector(".overview");
  return opened;
}
