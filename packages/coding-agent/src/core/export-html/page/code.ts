import hljs from "highlight.js/lib/common";
import { append, element } from "./dom.js";

/** Longer code is shown without colours: finding them takes longer than anybody reads. */
const MAX_HIGHLIGHTED = 60_000;

/** Code with colours, when the language is known. */
export function code(source: string, language: string): HTMLElement {
  const shown = element("code");
  append(shown, highlighted(source, language));
  return shown;
}

/** Language of a file by its name; "" for one that is not known. */
export function languageOfPath(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return byFileName.get(name.toLowerCase()) ?? (name.includes(".") ? (name.split(".").at(-1) ?? "") : "");
}

const byFileName = new Map([
  ["makefile", "makefile"],
  ["dockerfile", "bash"],
  [".bashrc", "bash"],
]);

export function highlighted(source: string, language: string): (Node | string)[] {
  if (source.length > MAX_HIGHLIGHTED || !/^[\w+#.-]{1,30}$/.test(language) || !hljs.getLanguage(language))
    return [source];
  try {
    return spans(hljs.highlight(source, { language, ignoreIllegals: true }).value);
  } catch {
    return [source];
  }
}

const TOKEN = /<span class="([\w -]*)">|<\/span>|&(amp|lt|gt|quot|#x27);/g;
const characters = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["#x27", "'"],
]);

/**
 * The highlighter writes spans and five entities. They are read back into elements here; anything else would be text.
 */
function spans(markup: string): (Node | string)[] {
  const root = element("span");
  const open: HTMLElement[] = [root];
  let text = "";
  let from = 0;
  const flush = () => {
    if (text !== "") append(open.at(-1) ?? root, [text]);
    text = "";
  };
  for (const match of markup.matchAll(TOKEN)) {
    const [whole, classes, entity] = match;
    text += markup.slice(from, match.index);
    from = match.index + whole.length;
    if (entity !== undefined) {
      text += characters.get(entity) ?? "";
      continue;
    }
    flush();
    if (classes === undefined) {
      if (open.length > 1) open.pop();
    } else {
      const span = element("span", classes);
      (open.at(-1) ?? root).appendChild(span);
      open.push(span);
    }
  }
  text += markup.slice(from);
  flush();
  return [...root.childNodes];
}
