import { type Child, element, folded } from "./dom.js";
import { contentText, type Fields, fields, list, text } from "./fields.js";
import { preview } from "./preview.js";

/** The first system message of a branch, or a change of it: prompt text, sections, tools that came and went. */
export function systemView(message: Fields): Child[] {
  const added = list(message["toolsAdded"]).map(fields);
  const removed = list(message["toolsRemoved"]).map((tool) => text(fields(tool)["name"]));
  const said = contentText(message["content"]);
  return [
    said === "" ? undefined : folded("", "Prompt", element("pre", "", said)),
    ...Object.entries(fields(message["sections"])).map(([name, section]) =>
      typeof section === "string"
        ? folded("", name, element("pre", "", section))
        : element("p", "dim", `${name}: removed`),
    ),
    added.length === 0 ? undefined : toolList(added),
    removed.length === 0 ? undefined : element("p", "dim", `Tools removed: ${removed.join(", ")}`),
  ];
}

/** Tools with what the model is told about each. */
export function toolList(tools: readonly Fields[]): HTMLElement {
  return folded("", `Tools (${tools.length})`, ...tools.map(toolFold));
}

function toolFold(tool: Fields): HTMLElement {
  const parameters = JSON.stringify(tool["parameters"] ?? {}, undefined, 2);
  return folded("", text(tool["name"]), element("p", "", text(tool["description"])), preview(parameters, 10));
}
