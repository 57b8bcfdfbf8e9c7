import type { AssistantMessage } from "@earendil-works/pi-ai";
import { harmless } from "./plain-text.js";

/** Why an answer ended early; undefined for one that did not. With tool calls their boxes say it. */
export function stopText(message: AssistantMessage, retries = 0): string | undefined {
  const { stopReason, errorMessage, content } = message;
  if (stopReason === "length") return "Response was truncated before completion.";
  const hasCalls = content.some((part) => part.type === "toolCall");
  if (hasCalls) return undefined;
  if (stopReason === "aborted") return abortedText(retries);
  if (stopReason === "error") return `Error: ${harmless(errorMessage ?? "The provider said nothing about it.")}`;
  return undefined;
}

export function abortedText(retries: number): string {
  return retries > 0 ? `Aborted after ${retries} retry attempt${retries === 1 ? "" : "s"}` : "Operation aborted";
}

/** What the box of a call that never ran says. */
export function callErrorText({ stopReason, errorMessage }: AssistantMessage): string | undefined {
  if (stopReason === "aborted") return "Operation aborted";
  if (stopReason === "error") return harmless(errorMessage ?? "Error");
  return undefined;
}
