import { pictures } from "./content-view.js";
import { type Child, element, folded } from "./dom.js";
import { blocks, contentText, type Fields, fields, number, text } from "./fields.js";
import { dollars, moment, thousands } from "./format.js";
import { markdown } from "./markdown.js";
import { preview } from "./preview.js";
import type { Entry } from "./session.js";
import { systemView } from "./system-view.js";
import { orphanResult, toolView } from "./tool-view.js";

/** The branch round an entry, as far as its drawing depends on it. */
export interface BranchFacts {
  /** Messages of the results on the branch, by the id of their call. */
  readonly results: ReadonlyMap<string, Fields>;
  /** Ids of the calls on the branch. */
  readonly calls: ReadonlySet<string>;
}

interface EntryBody {
  classes: string;
  title: string;
  /** Figures beside the title. */
  facts?: string;
  body: Child[];
}

/** An entry of the branch; undefined for one that shows elsewhere or not at all. */
export function entryView(entry: Entry, branch: BranchFacts): HTMLElement | undefined {
  const drawn = draw(entry, branch);
  if (!drawn) return undefined;
  const { classes, title, facts, body } = drawn;
  const time = moment(entry.fields["timestamp"]);
  const parts = [facts, time].filter((part) => part !== undefined && part !== "");
  const header = element("header", "", element("b", "", title), ...parts.map((part) => element("span", "", part)));
  return element("article", `entry ${classes}`, header, ...body);
}

function draw(entry: Entry, branch: BranchFacts): EntryBody | undefined {
  const own = entry.fields;
  switch (entry.type) {
    case "message":
      return drawMessage(entry, branch);
    case "model_change":
      return note("Model", `${text(own["provider"])}/${text(own["modelId"])}`);
    case "thinking_level_change":
      return note("Thinking level", text(own["thinkingLevel"]));
    case "compaction": {
      const title = `Compaction of ${thousands(number(own["tokensBefore"]))} tokens`;
      return { classes: "", title, body: [folded("", "Summary", markdown(text(own["summary"])))] };
    }
    case "branch_summary":
      return {
        classes: "",
        title: "Summary of another branch",
        body: [folded("", "Summary", markdown(text(own["summary"])))],
      };
    case "custom_message":
      return drawCustom(own);
    case "context_edit":
      return note("Context", own["replacement"] === null ? "an entry was taken out" : "an entry was replaced");
    default:
      return undefined;
  }
}

function drawMessage({ role, message }: Entry, branch: BranchFacts): EntryBody | undefined {
  const content = blocks(message["content"]);
  switch (role) {
    case "user":
      return { classes: "user", title: "User", body: [markdown(contentText(content)), ...pictures(content)] };
    case "assistant":
      return drawAssistant(message, branch);
    case "toolResult":
      if (branch.calls.has(text(message["toolCallId"]))) return undefined;
      return { classes: "", title: "Tool result", body: [orphanResult(message)] };
    case "bashExecution":
      return drawBash(message);
    case "system":
      return { classes: "", title: "System prompt and tools", body: systemView(message) };
    default:
      return drawCustom(message);
  }
}

function drawAssistant(message: Fields, { results }: BranchFacts): EntryBody {
  const reason = text(message["stopReason"]);
  const error = text(message["errorMessage"]);
  const isBroken = reason === "error" || reason === "aborted";
  const body: Child[] = blocks(message["content"]).map((block) => {
    switch (block["type"]) {
      case "text":
        return text(block["text"]).trim() === "" ? undefined : markdown(text(block["text"]));
      case "thinking":
        return text(block["thinking"]).trim() === ""
          ? undefined
          : folded("thinking", "Thinking", markdown(text(block["thinking"])));
      case "toolCall":
        return toolView(block, results.get(text(block["id"])));
      default:
        return undefined;
    }
  });
  if (isBroken || error !== "") {
    body.push(element("p", "error", `${reason === "aborted" ? "Aborted" : "Error"}${error && `: ${error}`}`));
  }
  return { classes: "assistant", title: text(message["model"]) || "Assistant", facts: usageFacts(message), body };
}

function usageFacts(message: Fields): string {
  const usage = fields(message["usage"]);
  const input = number(usage["input"]) + number(usage["cacheRead"]) + number(usage["cacheWrite"]);
  const output = number(usage["output"]);
  if (input + output === 0) return "";
  return `${thousands(input)} in, ${thousands(output)} out, ${dollars(number(fields(usage["cost"])["total"]))}`;
}

function drawBash(message: Fields): EntryBody {
  const code = message["exitCode"];
  const state =
    message["cancelled"] === true ? "cancelled" : typeof code === "number" && code !== 0 ? `exit ${code}` : "";
  return {
    classes: "user",
    title: message["excludeFromContext"] === true ? "Command of the user, not for the model" : "Command of the user",
    facts: state,
    body: [element("pre", "", `$ ${text(message["command"])}`), preview(text(message["output"]), 5)],
  };
}

function drawCustom(own: Fields): EntryBody {
  const content = blocks(own["content"]);
  return {
    classes: own["display"] === false ? "hidden-message" : "",
    title: text(own["customType"]) || "Message",
    body: [markdown(contentText(content)), ...pictures(content)],
  };
}

function note(title: string, said: string): EntryBody {
  return { classes: "note", title, facts: said, body: [] };
}
