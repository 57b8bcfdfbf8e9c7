import { append, type Child, element } from "./dom.js";

/** The first lines of a long text; a button shows the rest. */
export function preview(
  whole: string,
  lines: number,
  render: (part: string) => readonly Child[] = (part) => [part],
): HTMLElement {
  const source = whole.replace(/\n$/, "");
  const box = element("div", "preview");
  const shown = element("pre");
  box.appendChild(shown);
  const cut = endOfLines(source, lines);
  if (cut === undefined) {
    append(shown, render(source));
    return box;
  }
  const more = source.slice(cut).split("\n").length - 1;
  append(shown, render(source.slice(0, cut)));
  const rest = element("span", "rest");
  shown.appendChild(rest);
  const toggle = element("button");
  toggle.type = "button";
  const caption = () => {
    const isOpen = box.classList.contains("open");
    // Most rests are never looked at.
    if (isOpen && !rest.hasChildNodes()) append(rest, render(source.slice(cut)));
    toggle.textContent = isOpen ? "Show less" : `Show ${more} more ${more === 1 ? "line" : "lines"}`;
    toggle.setAttribute("aria-expanded", String(isOpen));
  };
  box.addEventListener("preview-changed", caption);
  toggle.addEventListener("click", () => setOpen(box, !box.classList.contains("open")));
  caption();
  box.appendChild(toggle);
  return box;
}

/** Opens or closes one preview, or all of them in an element. */
export function setOpen(scope: Element, isOpen: boolean): void {
  const boxes = scope.matches(".preview") ? [scope] : scope.querySelectorAll(".preview");
  for (const box of boxes) {
    box.classList.toggle("open", isOpen);
    box.dispatchEvent(new Event("preview-changed"));
  }
}

/** Where the line break behind so many lines is; undefined when there are no more than that. */
function endOfLines(source: string, lines: number): number | undefined {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = source.indexOf("\n", at + 1);
    if (at < 0) return undefined;
  }
  return at;
}
