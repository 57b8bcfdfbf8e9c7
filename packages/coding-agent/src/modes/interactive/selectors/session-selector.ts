import { rmSync } from "node:fs";
import { getKeybindings, type TUI, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { SessionManager } from "../../../core/session-manager.js";
import type { SessionListProgress } from "../../../core/session-store/session-list.js";
import type { SessionInfo } from "../../../core/session-store/session-summary.js";
import { errorText } from "../desk.js";
import { keyText } from "../keys/key-hints.js";
import { harmless } from "../messages/plain-text.js";
import { type DialogHost, DialogStack } from "../screen/dialog-host.js";
import { currentTheme } from "../theme/current.js";
import { shortPath } from "../tools/paths.js";
import { ask, confirm } from "./ask.js";
import { SearchList } from "./search-list.js";
import { ageText, type ListedSession, listedSessions, SESSION_SORTS, type SessionSort } from "./session-order.js";

/** Reads sessions; tells how far it is, with those it has. */
export type SessionsLoader = (onProgress?: SessionListProgress) => Promise<SessionInfo[]>;

interface SessionListOptions {
  host: DialogHost;
  /** Of the folder's sessions, and of all. */
  loaders: Record<"current" | "all", SessionsLoader>;
  /** The one that is open. */
  currentPath?: string | undefined;
  terminalHeight: () => number;
  requestRender: () => void;
  rename: (path: string, name: string) => void | Promise<void>;
  onSelect: (path: string) => void;
  onCancel: () => void;
  /** Keys that mean more than the list; true when one was meant. */
  onKey?: ((data: string, query: string) => boolean) | undefined;
  /** Default: the list shows what went wrong. */
  onError?: ((text: string) => void) | undefined;
}

const TITLES: Record<SessionSort, string> = { threaded: "Threaded", recent: "Recent", fuzzy: "Fuzzy" };

export interface SessionSelectorOptions {
  slot: DialogHost;
  tui: TUI;
  cwd: string;
  /** Undefined: the usual place. */
  sessionDir: string | undefined;
  /** The one that is open. */
  currentPath?: string | undefined;
  onError: (text: string) => void;
}

/** Lets the user choose a session; undefined when they do not want to. */
export function selectSession(options: SessionSelectorOptions): Promise<string | undefined> {
  const { slot, tui, cwd, sessionDir, currentPath, onError } = options;
  return new Promise((resolve) => {
    const { signal, abort } = abortable();
    const finish = (path: string | undefined) => {
      abort();
      close();
      resolve(path);
    };
    const list = new SessionList({
      host: slot,
      loaders: {
        current: (progress) => SessionManager.list(cwd, sessionDir, progress, signal),
        all: (progress) =>
          sessionDir === undefined
            ? SessionManager.listAll(progress, signal)
            : SessionManager.listAll(sessionDir, progress, signal),
      },
      currentPath,
      terminalHeight: () => tui.terminal.rows,
      requestRender: () => tui.requestRender(),
      rename: renameSession,
      onSelect: finish,
      onCancel: () => finish(undefined),
      onError: (text) => {
        if (!signal.aborted) onError(text);
      },
    });
    const close = slot.open(list.component);
    list.load();
  });
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function renameSession(path: string, name: string): void {
  const session = SessionManager.open(path);
  session.appendSessionInfo(name);
  session.close();
}

/** A list of sessions, for extensions and hosts. Source: exports.md section 4.5. */
export class SessionSelectorComponent extends DialogStack {
  /** `onExit`: the key that ends the program was pressed while nothing was searched. */
  constructor(
    currentSessionsLoader: SessionsLoader,
    allSessionsLoader: SessionsLoader,
    onSelect: (path: string) => void,
    onCancel: () => void,
    onExit: () => void,
    requestRender: () => void,
    options: { renameSession?: (path: string, name: string) => void | Promise<void>; terminalHeight?: number } = {},
    currentPath?: string,
  ) {
    super();
    const list = new SessionList({
      host: this,
      loaders: { current: currentSessionsLoader, all: allSessionsLoader },
      currentPath,
      terminalHeight: () => options.terminalHeight ?? 24,
      requestRender,
      rename: options.renameSession ?? renameSession,
      onSelect,
      onCancel,
      onKey: (data, query) => {
        if (query !== "" || !getKeybindings().matches(data, "app.exit")) return false;
        onExit();
        return true;
      },
    });
    this.open(list.component);
    list.load();
  }
}

class SessionList {
  readonly component: SearchList<ListedSession>;
  #all = false;
  #sort: SessionSort = "threaded";
  #namedOnly = false;
  #showPaths = false;
  #sessions: readonly SessionInfo[] = [];
  #loading = "";
  #problem = "";
  #generation = 0;

  constructor(private readonly options: SessionListOptions) {
    this.component = new SearchList<ListedSession>({
      items: [],
      title: () => this.#title(),
      searchText: ({ info }) => info.firstMessage,
      filter: (_items, query) =>
        listedSessions(this.#sessions, { sort: this.#sort, namedOnly: this.#namedOnly, query }),
      row: (session, isSelected, width) => this.#row(session, isSelected, width),
      maxVisible: () => Math.max(3, Math.min(15, options.terminalHeight() - 9)),
      emptyText: "No sessions found",
      hints: () => [
        [keyText("tui.input.tab"), "scope"],
        [keyText("app.session.toggleSort"), "sort"],
        [keyText("app.session.toggleNamedFilter"), "named"],
        [keyText("app.session.togglePath"), "path"],
        [keyText("app.session.rename"), "rename"],
        [keyText("app.session.delete"), "delete"],
      ],
      onSelect: ({ info }) => options.onSelect(info.path),
      onCancel: options.onCancel,
      onKey: (data, item) => options.onKey?.(data, this.component.query) || this.#key(data, item?.info),
    });
  }

  /** Reads the sessions; the list fills while they are read. */
  load(): void {
    const generation = ++this.#generation;
    const { loaders, requestRender } = this.options;
    const show = (sessions: readonly SessionInfo[], loading: string) => {
      if (generation !== this.#generation) return;
      this.#sessions = sessions;
      this.#loading = loading;
      this.#refresh();
    };
    const progress = (loaded: number, total: number, partial?: readonly SessionInfo[]) => {
      if (partial) show(partial, loaded < total ? `loading ${loaded}/${total}` : "");
    };
    loaders[this.#all ? "all" : "current"](progress).then(
      (sessions) => show(sessions, ""),
      (error: unknown) => this.#fail(error),
    );
    requestRender();
  }

  #fail(error: unknown): void {
    const text = errorText(error);
    if (this.options.onError) this.options.onError(text);
    else this.#problem = text;
    this.options.requestRender();
  }

  #refresh(): void {
    const path = this.component.selectedItem?.info.path;
    this.component.setItems([], ({ info }) => info.path === path);
    this.options.requestRender();
  }

  #title(): string {
    const theme = currentTheme();
    const scope = (text: string, isOn: boolean) =>
      isOn ? theme.fg("accent", `◉ ${text}`) : theme.fg("muted", `○ ${text}`);
    const parts = [
      `${scope("Current Folder", !this.#all)} ${scope("All", this.#all)}`,
      theme.fg("muted", `Sort: ${TITLES[this.#sort]}`),
      ...(this.#namedOnly ? [theme.fg("muted", "Named only")] : []),
      ...(this.#loading === "" ? [] : [theme.fg("dim", this.#loading)]),
    ];
    const title = `${theme.style("Resume session", { fg: "accent", bold: true })}  ${parts.join("  ")}`;
    return this.#problem === "" ? title : `${title}\n${theme.fg("error", this.#problem)}`;
  }

  #row({ info, depth }: ListedSession, isSelected: boolean, width: number): string {
    const theme = currentTheme();
    const mark = info.path === this.options.currentPath ? "✓ " : "";
    const indent = depth > 0 ? `${"  ".repeat(Math.min(depth, 6) - 1)}└ ` : "";
    const title = harmless(info.name ?? info.firstMessage).replace(/\s+/g, " ");
    const place = this.#showPaths ? shortPath(info.path) : this.#all ? shortPath(info.cwd) : "";
    const right = `${place === "" ? "" : `${place}  `}${info.messageCount}  ${ageText(info.modified, new Date()).padStart(3)}`;
    const shownRight = truncateToWidth(right, Math.max(0, Math.floor(width * 0.6)), "...");
    const room = Math.max(1, width - visibleWidth(shownRight) - 4);
    const text = truncateToWidth(`${indent}${mark}${title}`, room, "...");
    const gap = " ".repeat(Math.max(2, width - 2 - visibleWidth(text) - visibleWidth(shownRight)));
    const label = `${isSelected ? "→ " : "  "}${text}`;
    const color = info.name === undefined ? "text" : "warning";
    const left = isSelected ? theme.style(label, { fg: "accent", bold: true }) : theme.fg(color, label);
    return `${left}${gap}${theme.fg("dim", shownRight)}`;
  }

  #key(data: string, info: SessionInfo | undefined): boolean {
    const is = (id: Parameters<ReturnType<typeof getKeybindings>["matches"]>[1]) => getKeybindings().matches(data, id);
    if (is("tui.input.tab")) {
      this.#all = !this.#all;
      this.#sessions = [];
      this.load();
    } else if (is("app.session.toggleSort")) {
      this.#sort = SESSION_SORTS[(SESSION_SORTS.indexOf(this.#sort) + 1) % SESSION_SORTS.length] ?? "threaded";
    } else if (is("app.session.toggleNamedFilter")) this.#namedOnly = !this.#namedOnly;
    else if (is("app.session.togglePath")) this.#showPaths = !this.#showPaths;
    else if (is("app.session.rename")) {
      if (info) void this.#rename(info);
    } else if (is("app.session.delete") || (is("app.session.deleteNoninvasive") && this.component.query === "")) {
      if (info) void this.#delete(info);
    } else return false;
    this.#refresh();
    return true;
  }

  async #rename(info: SessionInfo): Promise<void> {
    const title = "Rename session";
    const name = await ask(this.options.host, { title, value: info.name, placeholder: "empty: no name" });
    if (name === undefined) return;
    try {
      await this.options.rename(info.path, name);
      this.load();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #delete(info: SessionInfo): Promise<void> {
    if (info.path === this.options.currentPath) {
      this.#fail("The session that is open cannot be deleted. Go to another one first.");
      return;
    }
    const title = harmless(info.name ?? info.firstMessage).slice(0, 60);
    if (!(await confirm(this.options.host, "Delete session?", `${title}\n${shortPath(info.path)}`))) return;
    try {
      const other = SessionManager.open(info.path, undefined, undefined, { readOnly: true }).getOtherWriter();
      if (other) throw new Error(`Session is in use by pid ${other.pid} since ${other.since}.`);
      rmSync(info.path);
      this.load();
    } catch (error) {
      this.#fail(error);
    }
  }
}
