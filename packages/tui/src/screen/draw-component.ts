import { truncateToWidth } from "../text/truncate.js";
import type { Component } from "../types.js";

export type ComponentFailureListener = (error: unknown, component: unknown) => void;

const listeners = new Set<ComponentFailureListener>();
/** Lists that were looked through: most components give the same one again. */
const looked = new WeakSet<object>();
/** What is drawn in place of a component, for as long as it fails the same way at the same width. */
const failures = new WeakMap<object, { text: string; width: number; lines: readonly string[] }>();

/**
 * Hears of each component that fails: its `render` throws, or gives something else than a list of texts, or it has none;
 * its `handleInput` or `invalidate` throws. Told at each attempt. Returns what ends it.
 */
export function onComponentFailure(listener: ComponentFailureListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * The lines of a component, which may be anybody's: one that cannot be drawn costs a line that says so, and not the
 * screen, where somebody listens. Otherwise what it throws is the program's.
 */
export function linesOf(component: Component, width: number): readonly string[] {
  try {
    const lines: unknown = component.render(width);
    if (!isLines(lines)) throw new TypeError("render() gave no list of texts");
    return lines;
  } catch (error) {
    if (!tellFailure(error, component)) throw error;
    return noticeOf(component, error, width);
  }
}

/** Tells who listens what a component did. @returns false when nobody does */
export function tellFailure(error: unknown, component: unknown): boolean {
  for (const listener of listeners) listener(error, component);
  return listeners.size > 0;
}

/** Tells a component to draw itself anew; not all that are given have something to drop. */
export function invalidateComponent(component: Component): void {
  try {
    (component as Partial<Component>).invalidate?.();
  } catch (error) {
    if (!tellFailure(error, component)) throw error;
  }
}

function isLines(lines: unknown): lines is readonly string[] {
  if (!Array.isArray(lines)) return false;
  if (looked.has(lines)) return true;
  if (!lines.every((line) => typeof line === "string")) return false;
  looked.add(lines);
  return true;
}

function noticeOf(component: Component, error: unknown, width: number): readonly string[] {
  const text = `[cannot be drawn: ${wordsOf(error)}]`;
  const isKnown = typeof component === "object" && component !== null;
  const known = isKnown ? failures.get(component) : undefined;
  if (known?.text === text && known.width === width) return known.lines;
  const lines = [truncateToWidth(text, width)];
  if (isKnown) failures.set(component, { text, width, lines });
  return lines;
}

/** The first line of what was thrown, which may be anything, without control characters. */
function wordsOf(error: unknown): string {
  try {
    const words = error instanceof Error ? error.message : String(error);
    return (words.split("\n")[0] ?? "").replace(/\p{Cc}/gu, "");
  } catch {
    return "no reason given";
  }
}
