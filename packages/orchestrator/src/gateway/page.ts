import { createHash } from "node:crypto";
import script from "./page/main.ts?browser";
import styles from "./page/page.css?raw";
import frame from "./page/page.html?raw";

/** The page as one text: nothing else is fetched for it. */
export const pageHtml: string = frame.replace("/*styles*/", () => styles).replace("/*script*/", () => script);

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only its own script and styles run, and it talks to this gateway alone. */
export const pagePolicy: string = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(styles)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
