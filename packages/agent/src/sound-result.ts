/**
 * Results of tools, made fit for the transcript: tools are written by others, and a transcript that holds what cannot be
 * sent or stored fails with every later request. Pure.
 */
import { errorText } from "./error-text.js";
import type { AgentToolResult } from "./types.js";

/** A result as it may stand in a transcript, and whether its content was malformed. */
export interface SoundResult {
  readonly result: AgentToolResult;
  readonly isMalformed: boolean;
}

/**
 * Keeps what is well formed. Text alone is one block, no content is none; other blocks are left out, and a last text
 * block says so, with the name of the tool. Details, structured content and usage that cannot be JSON are dropped with
 * a note of the same kind, as is usage that is none.
 *
 * @throws whatever a getter of the result throws
 */
export function soundResult(toolName: string, given: unknown): SoundResult {
  const result: Record<string, unknown> = isRecord(given) ? { ...given } : {};
  const faults = isRecord(given) || given === undefined || given === null ? [] : [`the result is ${nameOf(given)}`];
  const content = soundContent(isRecord(given) ? given["content"] : undefined, faults);
  const notes: string[] = [];
  if (faults.length > 0) notes.push(`Tool "${toolName}" returned a malformed result: ${faults.join("; ")}.`);
  for (const member of ["details", "structuredContent", "usage"]) {
    const reason = whyNoJson(result[member]) ?? (member === "usage" ? usageFault(result[member]) : undefined);
    if (reason === undefined) continue;
    delete result[member];
    notes.push(`The ${member} of tool "${toolName}" cannot be stored and were dropped: ${reason}.`);
  }
  for (const text of notes) content.push({ type: "text", text });
  return { result: { ...result, content } as AgentToolResult, isMalformed: faults.length > 0 };
}

function soundContent(given: unknown, faults: string[]): AgentToolResult["content"] {
  if (given === undefined || given === null) return [];
  if (typeof given === "string") return [{ type: "text", text: given }];
  if (!Array.isArray(given)) {
    faults.push(`content is ${nameOf(given)}, not an array of blocks`);
    return [];
  }
  const blocks: AgentToolResult["content"] = [];
  for (const [index, block] of given.entries()) {
    const fault = blockFault(block);
    if (fault === undefined) blocks.push(block);
    else if (faults.length < FAULTS_TOLD) faults.push(`content[${index}] ${fault}`);
  }
  return blocks;
}

/** A result may hold thousands of wrong blocks; the first ones tell what is wrong. */
const FAULTS_TOLD = 5;

function blockFault(block: unknown): string | undefined {
  if (!isRecord(block)) return `is ${nameOf(block)}, not a block`;
  const wrong = (member: string) => `of type ${String(block["type"])} has ${nameOf(block[member])} as ${member}`;
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" ? undefined : wrong("text");
    case "image":
      for (const member of ["data", "mimeType"]) {
        if (typeof block[member] !== "string" || block[member] === "") return wrong(member);
      }
      return undefined;
    default:
      return `has the type ${typeof block["type"] === "string" ? `"${block["type"]}"` : nameOf(block["type"])}, not "text" or "image"`;
  }
}

/** Why a value cannot be written as JSON; undefined when it can. */
function whyNoJson(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    // The rest of it draws the circle.
    return errorText(error).split("\n", 1)[0];
  }
}

/** Sums of tokens and costs are made from it. */
export function usageFault(usage: unknown): string | undefined {
  if (usage === undefined) return undefined;
  if (!isRecord(usage)) return `it is ${nameOf(usage)}`;
  const missing = usageMembers.find((member) => typeof usage[member] !== "number");
  if (missing) return `${missing} is ${nameOf(usage[missing])}, not a number`;
  const { cost } = usage;
  return isRecord(cost) && typeof cost["total"] === "number" ? undefined : "cost.total is no number";
}

const usageMembers = ["input", "output", "cacheRead", "cacheWrite", "totalTokens"];

export function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return `${/^[aeiou]/.test(typeof value) ? "an" : "a"} ${typeof value}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
