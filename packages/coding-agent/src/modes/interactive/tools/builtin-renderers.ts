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
  const hasOwnLooks = own.renderCall !== undefined || own.renderResult !== undefined;
  const renderShell = hasOwnLooks ? own.renderShell : builtin?.renderShell;
  return { ...builtin, ...defined(own), renderShell };
}

/** Members that are there but undefined must not hide the built-in ones. */
function defined(own: ToolRenderers): ToolRenderers {
  const { renderCall, renderResult } = own;
  return { ...(renderCall && { renderCall }), ...(renderResult && { renderResult }) };
}
