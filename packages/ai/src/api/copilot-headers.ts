import type { Message, Model } from "../types.js";

/** Headers GitHub Copilot expects beside those of its catalogue entry; none for other providers. */
export function copilotHeaders(model: Model, messages: readonly Message[]): Record<string, string> {
  if (model.provider !== "github-copilot") return {};
  const headers: Record<string, string> = {
    "X-Initiator": messages.at(-1)?.role === "user" ? "user" : "agent",
    "Openai-Intent": "conversation-edits",
  };
  if (messages.some(hasImage)) headers["Copilot-Vision-Request"] = "true";
  return headers;
}

function hasImage(message: Message): boolean {
  if (message.role !== "user" && message.role !== "toolResult") return false;
  return typeof message.content !== "string" && message.content.some((block) => block.type === "image");
}
