/** How extensions draw their parts of the chat, and how the chat tells what they did wrong. */
import type { AgentSession } from "../../../core/agent-session.js";
import type { ExtensionError } from "../../../core/extensions/types/host.js";
import { keyHint, keyText } from "../keys/key-hints.js";
import type { CustomEntryRenderer } from "../messages/custom-entry.js";
import type { CustomMessageRenderer } from "../messages/custom-message.js";
import type { ChatLook } from "../messages/lazy-message.js";
import { currentTheme } from "../theme/current.js";
import { renderersFor } from "../tools/builtin-renderers.js";
import type { ToolRenderers } from "../tools/types.js";

/** Frames of a stack that are shown: those below are the program's. */
const MAX_FRAMES = 5;

/** With the frames of the stack; what comes before them is the message again. */
export function extensionErrorText({ extensionPath, error, stack }: ExtensionError): string {
  const frames = stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
  return [`Extension "${extensionPath}" error: ${error}`, ...frames.slice(0, MAX_FRAMES)].join("\n");
}

/** As extensions want it, then as the tool says itself, and for the rest as the built-in tool of its name looks. */
export function toolRenderers(session: AgentSession, name: string): ToolRenderers | undefined {
  return session.extensionRunner.getToolRenderers(name, renderersFor(name, session.getToolDefinition(name)));
}

export function customRenderer(
  { extensionRunner }: AgentSession,
  { outputPad }: ChatLook,
  customType: string,
): CustomMessageRenderer | undefined {
  const renderer = extensionRunner.getMessageRenderer(customType);
  return (
    renderer && ((message, expanded) => renderer(message, { expanded, outputPad, keyText, keyHint }, currentTheme()))
  );
}

export function entryRenderer({ extensionRunner }: AgentSession, customType: string): CustomEntryRenderer | undefined {
  const renderer = extensionRunner.getEntryRenderer(customType);
  return renderer && ((entry, expanded) => renderer(entry, { expanded, keyText, keyHint }, currentTheme()));
}
