/**
 * A tool that waits until a file is there (a build, a download, a lock of somebody else) and counts the seconds in its
 * own row while it does. Pictures come back as pictures.
 * Start: `pi -e lookout.ts "Wait for out/report.png and tell me what it shows"`
 */
import { readFile, stat } from "node:fs/promises";
import { extname, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

const parameters = Type.Object({ path: Type.String(), seconds: Type.Optional(Type.Number()) });
const POLL_MS = 100;

interface Found {
  path: string;
  bytes: number;
}
/** What both slots of a row share: when it began, and what redraws it. */
interface Clock {
  since?: number;
  timer?: NodeJS.Timeout | undefined;
}

export default function lookout(pi: ExtensionAPI) {
  pi.registerTool<typeof parameters, Found | undefined, Clock>({
    name: "wait_for_file",
    label: "Look out",
    description: "Waits until a file exists, at most so many seconds (default 60). Pictures are returned.",
    parameters,
    async execute(_id, { path, seconds = 60 }, signal, _onUpdate, ctx) {
      const file = resolve(ctx.cwd, path);
      const end = Date.now() + seconds * 1000;
      for (;;) {
        const found = await stat(file).catch(() => undefined);
        if (found) {
          const text = { type: "text" as const, text: `${path} is there, ${found.size} bytes.` };
          const isPicture = extname(file) === ".png";
          const picture = {
            type: "image" as const,
            mimeType: "image/png",
            data: isPicture ? await readFile(file, "base64") : "",
          };
          return { content: isPicture ? [text, picture] : [text], details: { path: file, bytes: found.size } };
        }
        if (Date.now() > end) throw new Error(`${path} did not appear within ${seconds} s.`);
        await wait(POLL_MS, undefined, signal && { signal });
      }
    },
    renderCall({ path = "…" }, theme, context) {
      const { state } = context;
      if (context.executionStarted && context.isPartial && !state.timer) {
        state.since = Date.now();
        state.timer = setInterval(context.invalidate, 200).unref();
      }
      const seconds = state.since === undefined ? 0 : (Date.now() - state.since) / 1000;
      return new Text(
        `${theme.fg("toolTitle", "looking out for")} ${path} ${theme.fg("dim", `${seconds.toFixed(1)} s`)}`,
        0,
        0,
      );
    },
    renderResult({ details }, _options, theme, context) {
      clearInterval(context.state.timer);
      if (!details) return new Text(theme.fg("error", "It did not come."), 0, 0);
      const where = context.expanded ? details.path : relative(context.cwd, details.path);
      const size = context.expanded ? `${details.bytes} bytes` : `${context.keyText("app.tools.expand")} for its size`;
      const hidden = context.showImages ? "" : " (pictures are not shown)";
      return new Text(theme.fg("success", `${where}, ${size}${hidden}`), 0, 0);
    },
  });
}
