import { element } from "./dom.js";
import { type Fields, fields, list, text } from "./fields.js";

/** A change line by line: the numbered display or a patch, by the sign that each line begins with. */
export function diff(source: string): HTMLElement {
  const lines = source.split("\n").map((line) => element("span", classOf(line), line));
  return element("pre", "", element("code", "diff", ...lines));
}

function classOf(line: string): string {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

/** What an edit wanted, when its result does not say what it did. */
export function wantedDiff(call: Fields): string {
  const edits = list(call["edits"]).map(fields);
  return (edits.length > 0 ? edits : [call])
    .map((edit) => [...signed("-", text(edit["oldText"])), ...signed("+", text(edit["newText"]))].join("\n"))
    .join("\n...\n");
}

function signed(sign: string, source: string): string[] {
  return source === ""
    ? []
    : source
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${sign} ${line}`);
}
