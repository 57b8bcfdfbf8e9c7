import { element } from "./dom.js";
import { entryLine } from "./entry-text.js";
import type { Session } from "./session.js";
import { type TreeFilter, treeFilters } from "./tree-filter.js";
import { type TreeRow, TreeRows } from "./tree-rows.js";

/** Height of a row in pixels; layout.css says the same. */
const ROW = 22;
const INDENT = 12;
/** Rows beyond the edges that are drawn too. */
const MARGIN = 20;

export interface TreeParts {
  tree: HTMLElement;
  search: HTMLInputElement;
  filter: HTMLSelectElement;
  matches: HTMLElement;
}

/** The sidebar: rows that fit the filter and the search. Only those that can be seen are elements. */
export class TreePanel {
  readonly #session: Session;
  readonly #source: TreeRows;
  readonly #parts: TreeParts;
  readonly #onChoose: (at: number) => void;
  readonly #canvas = element("div", "rows");
  #rows: TreeRow[] = [];
  #path = new Set<number>();
  #leaf = -1;
  /** Index of the row that the keyboard is on. */
  #current = 0;

  /** @param onChoose a row was clicked or entered */
  constructor(session: Session, parts: TreeParts, onChoose: (at: number) => void) {
    this.#session = session;
    this.#source = new TreeRows(session);
    this.#parts = parts;
    this.#onChoose = onChoose;
    for (const name of treeFilters) parts.filter.append(new Option(name, name));
    parts.tree.append(this.#canvas);
    parts.tree.addEventListener("scroll", () => this.#draw());
    parts.tree.addEventListener("keydown", (event) => this.#onTreeKey(event));
    parts.tree.addEventListener("click", (event) => this.#onClick(event));
    parts.search.addEventListener("input", () => this.#refresh());
    parts.search.addEventListener("keydown", (event) => this.#onSearchKey(event));
    parts.filter.addEventListener("change", () => this.#refresh());
    new ResizeObserver(() => this.#draw()).observe(parts.tree);
  }

  /** The branch that is shown, and the entry on it that the reader is at. */
  show(leaf: number, at: number): void {
    this.#leaf = leaf;
    this.#path = new Set(this.#session.path(leaf).map((entry) => entry.at));
    this.#refresh(at);
  }

  /** Search and filter as at the start. */
  reset(): void {
    this.#parts.search.value = "";
    this.#parts.filter.value = "default";
    this.#refresh();
  }

  #refresh(keep = this.#rows[this.#current]?.at): void {
    const { search, filter, matches } = this.#parts;
    const words = search.value.split(/\s+/).filter((word) => word !== "");
    this.#rows = this.#source.rows(filter.value as TreeFilter, words, this.#leaf);
    const count = this.#rows.length;
    matches.textContent = `${count} of ${this.#session.entries.length} entries`;
    this.#canvas.style.height = `${count * ROW}px`;
    const kept = this.#rows.findIndex(({ at }) => at === keep);
    this.#moveTo(kept >= 0 ? kept : words.length > 0 ? 0 : count - 1);
  }

  #moveTo(index: number): void {
    this.#current = Math.max(0, Math.min(index, this.#rows.length - 1));
    const { tree } = this.#parts;
    const top = this.#current * ROW;
    if (top < tree.scrollTop) tree.scrollTop = top;
    else if (top + ROW > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + ROW - tree.clientHeight;
    this.#draw();
  }

  #draw(): void {
    const { tree } = this.#parts;
    const first = Math.max(0, Math.floor(tree.scrollTop / ROW) - MARGIN);
    const last = Math.min(this.#rows.length, Math.ceil((tree.scrollTop + tree.clientHeight) / ROW) + MARGIN);
    const drawn: HTMLElement[] = [];
    for (let index = first; index < last; index++) {
      const row = this.#rows[index];
      if (row) drawn.push(this.#rowElement(row, index));
    }
    this.#canvas.replaceChildren(...drawn);
    tree.setAttribute("aria-activedescendant", `row-${this.#current}`);
  }

  #rowElement({ at, depth }: TreeRow, index: number): HTMLElement {
    const entry = this.#session.entries[at];
    const line = entry ? entryLine(entry) : { kind: "", text: "" };
    const label = entry && this.#session.labels.get(entry.id);
    const row = element(
      "div",
      "row",
      element("span", "kind", line.kind),
      label === undefined ? undefined : element("span", "label", label),
      line.text,
    );
    row.id = `row-${index}`;
    row.dataset["index"] = String(index);
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", String(depth + 1));
    row.setAttribute("aria-selected", String(index === this.#current));
    row.classList.toggle("on-path", this.#path.has(at));
    row.classList.toggle("leaf", at === this.#leaf);
    row.classList.toggle("current", index === this.#current);
    row.style.top = `${index * ROW}px`;
    row.style.paddingLeft = `${6 + Math.min(depth, 40) * INDENT}px`;
    return row;
  }

  #choose(): void {
    const row = this.#rows[this.#current];
    if (row) this.#onChoose(row.at);
  }

  #onClick(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>(".row") : null;
    if (!row) return;
    this.#moveTo(Number(row.dataset["index"]));
    this.#choose();
  }

  #onSearchKey(event: KeyboardEvent): void {
    if (event.key === "Enter") this.#choose();
    else if (event.key === "ArrowDown") this.#parts.tree.focus();
    else return;
    event.preventDefault();
  }

  #onTreeKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.#parts.tree.clientHeight / ROW) - 1);
    const target = targetOf(event.key, this.#rows, this.#current, page);
    if (target !== undefined) this.#moveTo(target);
    else if (event.key === "Enter" || event.key === " ") this.#choose();
    else return;
    event.preventDefault();
  }
}

/** The row that a key leads to; undefined for other keys. Left leads to the row above in the tree, right below. */
export function targetOf(key: string, rows: readonly TreeRow[], current: number, page: number): number | undefined {
  const depth = rows[current]?.depth ?? 0;
  switch (key) {
    case "ArrowUp":
      return current - 1;
    case "ArrowDown":
      return current + 1;
    case "PageUp":
      return current - page;
    case "PageDown":
      return current + page;
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    case "ArrowLeft":
      return rows.slice(0, current).findLastIndex((row) => row.depth < depth);
    case "ArrowRight": {
      const next = rows.findIndex((row, index) => index > current && row.depth !== depth);
      return next < 0 ? current : next;
    }
    default:
      return undefined;
  }
}
