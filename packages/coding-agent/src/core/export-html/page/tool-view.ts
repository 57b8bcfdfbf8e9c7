import { highlighted, languageOfPath } from "./code.js";
import { pictures } from "./content-view.js";
import { diff, wantedDiff } from "./diff.js";
import { type Child, element } from "./dom.js";
import { blocks, contentText, type Fields, fields, text } from "./fields.js";
import { preview } from "./preview.js";

/** What one call and its result look like. `result` is undefined while there is none. */
type Drawing = (call: Fields, result: Fields | undefined) => { head: Child[]; body: Child[] };

/** Lines of a result that show at first. Source: sessions.md section 8. */
const LINES = { bash: 5, ls: 20, other: 10 };

/** A tool call with its result. @param result the message; undefined = the branch has none */
export function toolView(call: Fields, result: Fields | undefined): HTMLElement {
  const name = text(call["name"]) || "(tool without a name)";
  const draw = drawings.get(name) ?? drawOther;
  const { head, body } = draw(fields(call["arguments"]), result);
  const isFailed = result?.["isError"] === true;
  const shown = isFailed ? [preview(contentText(result["content"]), LINES.other)] : body;
  return element(
    "div",
    isFailed ? "tool failed" : "tool",
    element("div", "call", element("b", "", name), ...head),
    element(
      "div",
      "result",
      isFailed ? element("p", "error", "The tool failed:") : undefined,
      ...shown,
      ...pictures(blocks(result?.["content"])),
      result ? undefined : element("p", "dim", "(no result)"),
    ),
  );
}

/** A result whose call is not on the branch. */
export function orphanResult(result: Fields): HTMLElement {
  return toolView({ name: text(result["toolName"]), arguments: {} }, result);
}

const drawings = new Map<string, Drawing>([
  [
    "bash",
    (call, result) => ({
      head: [element("pre", "", ...highlighted(text(call["command"]), "bash"))],
      body: output(result, LINES.bash),
    }),
  ],
  [
    "read",
    (call, result) => ({
      head: [element("span", "mono", `${pathOf(call)}${rangeOf(call)}`)],
      body: output(result, LINES.other, languageOfPath(pathOf(call))),
    }),
  ],
  [
    "write",
    (call, result) => ({
      head: [element("span", "mono", pathOf(call))],
      body: [codePreview(text(call["content"]), languageOfPath(pathOf(call))), ...output(result, LINES.other)],
    }),
  ],
  [
    "edit",
    (call, result) => ({
      head: [element("span", "mono", pathOf(call))],
      body: [diff(text(fields(result?.["details"])["diff"]) || wantedDiff(call))],
    }),
  ],
  [
    "ls",
    (call, result) => ({
      head: [element("span", "mono", pathOf(call) || ".")],
      body: output(result, LINES.ls),
    }),
  ],
]);

function drawOther(call: Fields, result: Fields | undefined): { head: Child[]; body: Child[] } {
  const written = JSON.stringify(call, undefined, 2);
  const head = written === "{}" ? [] : [preview(written, LINES.other, (part) => highlighted(part, "json"))];
  return { head, body: output(result, LINES.other) };
}

function output(result: Fields | undefined, lines: number, language = ""): Child[] {
  const said = contentText(result?.["content"]);
  return said === "" ? [] : [codePreview(said, language, lines)];
}

function codePreview(source: string, language: string, lines = LINES.other): HTMLElement {
  return preview(source, lines, (part) => highlighted(part, language));
}

function pathOf(call: Fields): string {
  return text(call["path"]) || text(call["file_path"]);
}

function rangeOf({ offset, limit }: Fields): string {
  if (typeof offset !== "number" && typeof limit !== "number") return "";
  const first = typeof offset === "number" ? offset : 1;
  return typeof limit === "number" ? `:${first}-${first + limit - 1}` : `:${first}`;
}
