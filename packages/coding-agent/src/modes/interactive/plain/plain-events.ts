import type { AgentSessionEvent } from "../../../core/agent-session-events.js";
import { harmless, textOf, unhidden } from "../messages/plain-text.js";
import { stopText } from "../messages/stop-text.js";
import { LineWriter } from "./line-writer.js";

/** Says in plain lines what happens in a session. Returns what hears its events. */
export function plainEvents(print: (line: string) => void): (event: AgentSessionEvent) => void {
  const text = new LineWriter((line) => print(harmless(line)));
  let isSpeaking = false;
  const begin = () => {
    if (!isSpeaking) print("Assistant:");
    isSpeaking = true;
  };
  return (event) => {
    switch (event.type) {
      case "message_update":
        if (event.assistantMessageEvent.type === "text_delta") {
          begin();
          text.add(event.assistantMessageEvent.delta);
        } else if (event.assistantMessageEvent.type === "text_end") text.end();
        break;
      case "message_end": {
        if (event.message.role !== "assistant") break;
        text.end();
        isSpeaking = false;
        const stop = stopText(event.message);
        if (stop !== undefined) print(stop);
        break;
      }
      case "tool_execution_start":
        print(`Tool ${event.toolName}: ${argumentsText(event.args)}`);
        break;
      case "tool_execution_end": {
        const output = harmless(textOf(event.result?.content ?? [])).trim();
        const lines = output === "" ? 0 : output.split("\n").length;
        const [first = ""] = output.split("\n");
        if (event.isError) print(`Tool ${event.toolName} failed: ${first}`);
        else print(`Tool ${event.toolName} done, ${lines} line${lines === 1 ? "" : "s"}.`);
        break;
      }
      case "compaction_start":
        print("Compacting context...");
        break;
      case "compaction_end":
        print(event.errorMessage ?? (event.aborted ? "Compaction cancelled" : "Context compacted."));
        break;
      case "auto_retry_start":
        print(`Retrying (${event.attempt}/${event.maxAttempts}): ${harmless(event.errorMessage)}`);
        break;
      default:
    }
  };
}

const MAX_ARGUMENTS = 200;

/** The arguments of a call in a line: the one that matters, or all of them. */
function argumentsText(args: unknown): string {
  const { command, path, pattern } = (args ?? {}) as Record<string, unknown>;
  const main = [command, pattern, path].filter((value) => typeof value === "string").join(" in ");
  const text = main === "" ? (JSON.stringify(args) ?? "") : main;
  const line = unhidden(text).replace(/\s+/g, " ");
  return line.length > MAX_ARGUMENTS ? `${line.slice(0, MAX_ARGUMENTS)}...` : line;
}
