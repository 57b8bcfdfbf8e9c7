import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui";
import type { SessionTreeNode } from "../../../core/session-store/entries.js";
import type { Desk } from "../desk.js";
import { keyText } from "../keys/key-hints.js";
import { type DialogHost, DialogStack } from "../screen/dialog-host.js";
import { currentTheme } from "../theme/current.js";
import { ask } from "./ask.js";
import { SearchList } from "./search-list.js";
import { TREE_FILTERS, type TreeFilter, type TreeRow, treeRows } from "./tree-rows.js";

const FILTER_KEYS: readonly [Keybinding, TreeFilter][] = [
  ["app.tree.filter.default", "default"],
  ["app.tree.filter.noTools", "no-tools"],
  ["app.tree.filter.userOnly", "user-only"],
  ["app.tree.filter.labeledOnly", "labeled-only"],
  ["app.tree.filter.all", "all"],
];

/** What a tree is shown of, and what it tells. */
interface TreeOptions {
  host: DialogHost;
  roots: SessionTreeNode[];
  leafId: string | null;
  /** Rows of the terminal. */
  terminalHeight: () => number;
  /** Chosen at first; default the leaf. */
  selectedId?: string | undefined;
  filter: TreeFilter;
  onSelect: (row: TreeRow) => void;
  onCancel: () => void;
  /** Stores a label and returns the tree with it. Without it labels cannot be edited here. */
  setLabel?: ((entryId: string, label: string) => SessionTreeNode[]) | undefined;
  requestRender: () => void;
}

/** Lets the user choose a place in the tree of the session; undefined when they do not want to. */
export function selectTreeEntry(desk: Desk, selectedId?: string): Promise<TreeRow | undefined> {
  const { sessionManager, settingsManager } = desk.session;
  return new Promise((resolve) => {
    const finish = (row: TreeRow | undefined) => {
      close();
      resolve(row);
    };
    const tree = new Tree({
      host: desk.slot,
      roots: sessionManager.getTree(),
      leafId: sessionManager.getLeafId(),
      terminalHeight: () => desk.tui.terminal.rows,
      selectedId,
      filter: settingsManager.getTreeFilterMode(),
      onSelect: finish,
      onCancel: () => finish(undefined),
      setLabel: (entryId, label) => {
        sessionManager.appendLabelChange(entryId, label);
        return sessionManager.getTree();
      },
      requestRender: () => desk.tui.requestRender(),
    });
    const close = desk.slot.open(tree.component);
  });
}

/** The tree of a session, for extensions and hosts. Source: exports.md section 4.5. */
export class TreeSelectorComponent extends DialogStack {
  constructor(
    tree: SessionTreeNode[],
    leafId: string | null,
    terminalHeight: number,
    onSelect: (entryId: string) => void,
    onCancel: () => void,
    onLabelChange?: (entryId: string, label: string | undefined) => void,
    selectedId?: string,
    filter: TreeFilter = "default",
  ) {
    super();
    const shown = new Tree({
      host: this,
      roots: tree,
      leafId,
      terminalHeight: () => terminalHeight,
      selectedId,
      filter,
      onSelect: ({ entry }) => onSelect(entry.id),
      onCancel,
      ...(onLabelChange && {
        setLabel: (entryId: string, label: string) => {
          onLabelChange(entryId, label === "" ? undefined : label);
          return labelled(tree, entryId, label);
        },
      }),
      // Who shows the component draws it after each key.
      requestRender: () => {},
    });
    this.open(shown.component);
  }
}

/** Sets the label in a tree that a host gave; it has no session of ours behind it. */
function labelled(roots: SessionTreeNode[], entryId: string, label: string): SessionTreeNode[] {
  const waiting = [...roots];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.entry.id === entryId) {
      if (label === "") delete node.label;
      else node.label = label;
    }
    waiting.push(...node.children);
  }
  return roots;
}

class Tree {
  readonly component: SearchList<TreeRow>;
  #filter: TreeFilter;
  #showTimes = false;
  readonly #folded = new Set<string>();
  #roots: SessionTreeNode[];

  constructor(private readonly options: TreeOptions) {
    this.#filter = options.filter;
    this.#roots = options.roots;
    const wanted = options.selectedId ?? options.leafId;
    this.component = new SearchList<TreeRow>({
      items: [],
      title: () => {
        const theme = currentTheme();
        return `${theme.style("Session tree", { fg: "accent", bold: true })} ${theme.fg("muted", `[${this.#filter}]`)}`;
      },
      searchText: ({ text }) => text,
      filter: (_items, query) => this.#rows(query),
      row: (row, isSelected) => this.#row(row, isSelected),
      maxVisible: () => Math.max(3, Math.floor(options.terminalHeight() / 2)),
      selected: ({ entry }) => entry.id === wanted,
      emptyText: "No entries",
      hints: () => [
        [`${keyText("app.tree.filter.cycleForward")}`, "filter"],
        ...(options.setLabel ? [[keyText("app.tree.editLabel"), "label"] as [string, string]] : []),
        [`${keyText("app.tree.foldOrUp").split("/")[0]}`, "fold"],
      ],
      onSelect: options.onSelect,
      onCancel: options.onCancel,
      onKey: (data, row) => this.#key(data, row),
    });
    const rows = this.component.shown;
    const at = rows.findIndex(({ entry }) => entry.id === wanted);
    // The leaf itself may be of a kind that is not shown: what is before it is nearest.
    if (at < 0) this.component.select(rows.findLastIndex(({ isOnPath }) => isOnPath));
  }

  #rows(query: string): TreeRow[] {
    const { leafId } = this.options;
    return treeRows(this.#roots, { filter: this.#filter, query, folded: this.#folded, leafId });
  }

  #row({ depth, isOnPath, isFolded, label, labelTimestamp, text }: TreeRow, isSelected: boolean): string {
    const theme = currentTheme();
    const head = `${isSelected ? "› " : "  "}${"  ".repeat(depth)}${isOnPath ? "• " : "  "}${isFolded ? "+ " : ""}`;
    const time = this.#showTimes && labelTimestamp !== undefined ? ` ${labelTimestamp.slice(0, 16)}` : "";
    const tag = label === undefined ? "" : `${theme.fg("warning", `[${label}]${time}`)} `;
    const body = isSelected ? theme.style(text, { fg: "accent", bold: true }) : text;
    return `${theme.fg(isSelected ? "accent" : "muted", head)}${tag}${body}`;
  }

  #key(data: string, row: TreeRow | undefined): boolean {
    const is = (id: Keybinding) => getKeybindings().matches(data, id);
    const filter = FILTER_KEYS.find(([id]) => is(id))?.[1];
    if (filter) this.#setFilter(filter);
    else if (is("app.tree.filter.cycleForward")) this.#cycle(1);
    else if (is("app.tree.filter.cycleBackward")) this.#cycle(-1);
    else if (is("app.tree.toggleLabelTimestamp") && this.component.query === "") this.#showTimes = !this.#showTimes;
    else if (is("app.tree.editLabel") && this.component.query === "" && row) void this.#label(row);
    else if (is("app.tree.foldOrUp") && row) this.#fold(row);
    else if (is("app.tree.unfoldOrDown") && row) this.#unfold(row);
    else return false;
    this.options.requestRender();
    return true;
  }

  #cycle(step: number): void {
    const at = TREE_FILTERS.indexOf(this.#filter) + step + TREE_FILTERS.length;
    this.#setFilter(TREE_FILTERS[at % TREE_FILTERS.length] ?? "default");
  }

  #setFilter(filter: TreeFilter): void {
    this.#filter = filter;
    this.#refresh();
  }

  #refresh(): void {
    const id = this.component.selectedItem?.entry.id;
    this.component.setItems([], ({ entry }) => entry.id === id);
  }

  /** Folds where branches begin; elsewhere goes back to there. */
  #fold(row: TreeRow): void {
    if (row.isFoldable && !row.isFolded) {
      this.#folded.add(row.entry.id);
      this.#refresh();
      return;
    }
    const rows = this.component.shown;
    const at = rows.indexOf(row);
    this.component.select(
      Math.max(
        0,
        rows.findLastIndex((one, index) => index < at && one.isFoldable),
      ),
    );
  }

  #unfold(row: TreeRow): void {
    if (this.#folded.delete(row.entry.id)) {
      this.#refresh();
      return;
    }
    const rows = this.component.shown;
    const at = rows.indexOf(row);
    const next = rows.findIndex((one, index) => index > at && one.isFoldable);
    this.component.select(next < 0 ? rows.length - 1 : next);
  }

  async #label(row: TreeRow): Promise<void> {
    const { host, setLabel } = this.options;
    if (!setLabel) return;
    const label = await ask(host, { title: "Label", value: row.label, placeholder: "empty: no label" });
    if (label === undefined) return;
    this.#roots = setLabel(row.entry.id, label.trim());
    this.#refresh();
  }
}
