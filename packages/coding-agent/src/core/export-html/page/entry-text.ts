import { stripControls } from "../../tools/output-cleaning.js";
import { blocks, contentText, type Fields, fields, text } from "./fields.js";
import type { Entry } from "./session.js";

/** Characters of an entry that the search looks at: enough for words, and bounded for sessions of megabytes. */
const SEARCHED = 20_000;
/** Characters of a row of the tree. */
const ROW = 160;

/** An entry in one line of the tree. */
export interface EntryLine {
  kind: string;
  text: string;
}

export function entryLine(entry: Entry): EntryLine {
  const { kind, text: whole } = lineOf(entry);
  return {
    kind,
    text: stripControls(whole.slice(0, ROW * 4))
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, ROW),
  };
}

function lineOf({ type, role, fields: entry, message }: Entry): EntryLine {
  switch (type) {
    case "message":
      return { kind: kindOfRole(role, message), text: messageLine(role, message) };
    case "model_change":
      return { kind: "model", text: `${text(entry["provider"])}/${text(entry["modelId"])}` };
    case "thinking_level_change":
      return { kind: "thinking", text: text(entry["thinkingLevel"]) };
    case "compaction":
      return { kind: "compaction", text: text(entry["summary"]) };
    case "branch_summary":
      return { kind: "branch", text: text(entry["summary"]) };
    case "custom_message":
      return { kind: text(entry["customType"]), text: contentText(entry["content"]) };
    case "custom":
      return { kind: "custom", text: text(entry["customType"]) };
    case "label":
      return { kind: "label", text: text(entry["label"]) || "(cleared)" };
    case "session_info":
      return { kind: "name", text: text(entry["name"]) || "(cleared)" };
    case "context_edit":
      return { kind: "edit", text: entry["replacement"] === null ? "taken out of the context" : "content replaced" };
    default:
      return { kind: type, text: "" };
  }
}

function kindOfRole(role: string, message: Fields): string {
  if (role === "toolResult") return text(message["toolName"]) || "result";
  return role === "bashExecution" ? "!" : role;
}

function messageLine(role: string, message: Fields): string {
  if (role === "bashExecution") return text(message["command"]);
  const said = contentText(message["content"]);
  if (role !== "assistant" || said.trim() !== "") return said;
  const calls = toolCalls(message).map((call) => text(call["name"]));
  return text(message["errorMessage"]) || (calls.length > 0 ? `calls ${calls.join(", ")}` : "");
}

/** The tool calls of an assistant message. */
export function toolCalls(message: Fields): readonly Fields[] {
  return blocks(message["content"]).filter((block) => block["type"] === "toolCall");
}

/** Everything of an entry that people search for, in lower case. */
export function searchText(entry: Entry, label: string | undefined): string {
  const { fields: own, message, type } = entry;
  const parts = [label, lineOf(entry).kind, text(own["id"]), text(own["summary"]), text(own["name"])];
  const content = blocks(type === "message" ? message["content"] : own["content"]);
  for (const block of content) {
    parts.push(text(block["text"]), text(block["thinking"]), text(block["name"]));
    if (block["type"] === "toolCall") parts.push(JSON.stringify(fields(block["arguments"])));
  }
  parts.push(text(message["command"]), text(message["output"]), text(message["errorMessage"]), lineOf(entry).text);
  return parts
    .map((part) => part?.slice(0, SEARCHED) ?? "")
    .join("\n")
    .slice(0, SEARCHED)
    .toLowerCase();
}
