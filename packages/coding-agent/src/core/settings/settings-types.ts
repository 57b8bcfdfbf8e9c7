/** What the keys of `settings.json` must be, so that nobody who reads one meets something else. Pure. */
import type { Settings } from "./settings.js";

type Shape = "string" | "number" | "boolean" | "strings" | { [key: string]: Shape } | { each: Shape };

/** Keys without a shape are passed on: `httpIdleTimeoutMs` and its like are checked where they are read. */
const SETTINGS: { [key: string]: Shape } = {
  defaultProvider: "string",
  defaultModel: "string",
  defaultThinkingLevel: "string",
  modelThinkingLevels: { each: "string" },
  thinkingBudgets: { each: "number" },
  enabledModels: "strings",
  defaultTools: "strings",
  sessionDir: "string",
  sessionFsync: "string",
  transport: "string",
  steeringMode: "string",
  followUpMode: "string",
  compaction: { enabled: "boolean" },
  branchSummary: { reserveTokens: "number", skipPrompt: "boolean" },
  retry: {
    enabled: "boolean",
    maxRetries: "number",
    baseDelayMs: "number",
    maxAgentDelayMs: "number",
    provider: { timeoutMs: "number", maxRetries: "number", maxRetryDelayMs: "number" },
  },
  shellPath: "string",
  shellCommandPrefix: "string",
  images: { autoResize: "boolean", blockImages: "boolean" },
  theme: "string",
  tuiMode: "string",
  fullscreenExitOutput: "string",
  fullscreenScrollbar: "string",
  fullscreenCopyOnSelect: "boolean",
  editorPaddingX: "number",
  outputPad: "number",
  autocompleteMaxVisible: "number",
  showHardwareCursor: "boolean",
  hideThinkingBlock: "boolean",
  terminal: {
    showImages: "boolean",
    imageWidthCells: "number",
    clearOnShrink: "boolean",
    showTerminalProgress: "boolean",
  },
  markdown: { codeBlockIndent: "string" },
  externalEditor: "string",
  doubleEscapeAction: "string",
  treeFilterMode: "string",
  screenReader: "boolean",
};

/** The settings without the values that are of another type, and what was left out, in words for the user. */
export function checkedSettings(value: Record<string, unknown>): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  return { settings: checkedObject("", value, SETTINGS, problems) as Settings, problems };
}

function checkedObject(at: string, value: object, shapes: { [key: string]: Shape }, problems: string[]): object {
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const shape = "each" in shapes ? shapes["each"] : Object.hasOwn(shapes, key) ? shapes[key] : undefined;
    const checked = shape === undefined ? member : checkedMember(`${at}${key}`, member, shape, problems);
    return checked === undefined ? [] : [[key, checked]];
  });
  return Object.fromEntries(entries);
}

/** The value as far as it can be used; undefined when it cannot. */
function checkedMember(at: string, value: unknown, shape: Shape, problems: string[]): unknown {
  const kind = kindOf(value);
  if (typeof shape === "object") {
    if (kind === "object") return checkedObject(`${at}.`, value as object, shape as { [key: string]: Shape }, problems);
    problems.push(`"${at}": expected object, got ${kind}`);
    return undefined;
  }
  if (shape === "strings") {
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    problems.push(`"${at}": expected an array of strings`);
    return undefined;
  }
  if (kind === shape) return value;
  problems.push(`"${at}": expected ${shape}, got ${kind}`);
  return undefined;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
