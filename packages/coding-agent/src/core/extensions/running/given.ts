/** What extensions give, which know no types when they are JavaScript, as what it was meant to be. Pure. */
import type { Component } from "@earendil-works/pi-tui";
import type { WorkingIndicatorOptions } from "../types/ui.js";

/** A text. Nothing is an empty one. */
export function givenText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return String(value ?? "");
  } catch {
    // An object without a prototype has no text.
    return "";
  }
}

/** Texts; one alone is a list of one. */
export function givenTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(givenText) : [givenText(value)];
}

/**
 * A component with all methods that are needed.
 *
 * @param what names it in the error, as in `The widget`
 * @throws TypeError to the extension that gave something else
 */
export function givenComponent<Given extends Component>(
  value: Given,
  what: string,
  methods: readonly (keyof Given & string)[] = ["render"],
): Given {
  const missing = methods.find((name) => typeof (value as Partial<Given> | undefined | null)?.[name] !== "function");
  if (missing !== undefined) throw new TypeError(`${what} is no component: it has no ${missing}().`);
  return value;
}

/** How the working indicator looks; what is none is left to the usual look. */
export function givenIndicator(options: WorkingIndicatorOptions | undefined): WorkingIndicatorOptions | undefined {
  if (typeof options !== "object" || options === null) return undefined;
  const { frames, intervalMs } = options;
  const isTime = typeof intervalMs === "number" && Number.isFinite(intervalMs);
  return {
    ...(Array.isArray(frames) && { frames: givenTexts(frames) }),
    // Faster than frames are drawn would only cost time.
    ...(isTime && { intervalMs: Math.max(16, intervalMs) }),
  };
}
