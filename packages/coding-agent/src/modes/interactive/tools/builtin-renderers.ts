import { bashRenderers } from "./bash.js";
import { editRenderers } from "./edit.js";
import { readRenderers } from "./read.js";
import { findRenderers, grepRenderers, lsRenderers } from "./search.js";
import type { ToolRenderers } from "./types.js";
import { writeRenderers } from "./write.js";

const BUILTIN = new Map<string, ToolRenderers>([
  ["read", readRenderers],
  ["bash", bashRenderers],
  ["edit", editRenderers],
  ["write", writeRenderers],
  ["grep", grepRenderers],
  ["find", findRenderers],
  ["ls", lsRenderers],
]);

/** How a tool is drawn: as it says itself, and as the built-in one of its name for what it does not say. */
export function renderersFor(name: string, own: ToolRenderers | undefined): ToolRenderers {
  const builtin = BUILTIN.get(name);
  if (!own) return builtin ?? {};
  const renderShell = own.renderCall || own.renderResult ? own.renderShell : builtin?.renderShell;
  return {
    renderShell,
    renderCall: own.renderCall ?? builtin?.renderCall,
    renderResult: own.renderResult ?? builtin?.renderResult,
  };
}
