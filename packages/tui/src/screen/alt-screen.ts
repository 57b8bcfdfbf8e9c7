import { Container } from "../components/container.js";
import { Input } from "../components/input.js";
import type { Keybinding } from "../keys/default-bindings.js";
import { getKeybindings } from "../keys/keybindings.js";
import { paintComponent, type Region } from "../layout/paint.js";
import { ScrollView } from "../layout/scroll-view.js";
import { compositeTuiLine } from "../text/slice.js";
import { truncateToWidth } from "../text/truncate.js";
import { visibleWidth } from "../text/width.js";
import type { Component, Terminal, TuiStopOptions, ViewportTUI } from "../types.js";
import { AltMouse } from "./alt-mouse.js";
import { AltPainter } from "./alt-painter.js";
import type { WheelScrollLines } from "./mouse-input.js";
import { findMatches, type SearchMatch } from "./text-search.js";
import { highlightColumns } from "./text-selection.js";
import { TuiBase } from "./tui-base.js";

type StyleFunction = (text: string) => string;

export interface TuiAltScreenOptions {
  /** Default `auto`. */
  wheelScrollLines?: WheelScrollLines;
  /** Default true. */
  mouse?: boolean;
  searchMatchStyle?: StyleFunction;
  searchCurrentMatchStyle?: StyleFunction;
  searchNavigationButtonStyle?: StyleFunction;
  /** Shown on the last row while the end is out of sight. */
  scrollToEndIndicator?: string;
  openUrl?: (url: string) => void;
  onRightClickPaste?: () => void;
  /** Default true. */
  copyOnSelect?: boolean;
  /** Default: asks the terminal (OSC 52). A text it resolves to is shown instead of `Copied!`. */
  copySelection?: (text: string) => Promise<boolean | string>;
}

const reverse: StyleFunction = (text) => `\x1b[7m${text}\x1b[27m`;
const FLASH_MS = 1000;
const ERROR_MS = 5000;
const PROMPT_MARK = "\x1b]133;A";

/** Draws on the alternate screen: a layout fills it, and a scroll view takes the place of the terminal's scrollback. */
export class TuiAltScreen extends TuiBase implements ViewportTUI {
  readonly mode = "fullscreen";
  private root: Component | undefined;
  private readonly implicit: ScrollView;
  private regions: readonly Region[] = [];
  private readonly painter = new AltPainter();
  private readonly mouse: AltMouse;
  private search: { input: Input; matches: SearchMatch[]; current: number } | undefined;
  private flashed: { text: string; timer: NodeJS.Timeout } | undefined;
  private copyOnSelect: boolean;

  constructor(
    terminal: Terminal,
    showHardwareCursor?: boolean,
    logDirectory?: string,
    private readonly options: TuiAltScreenOptions = {},
  ) {
    super(terminal, showHardwareCursor, logDirectory);
    this.copyOnSelect = options.copyOnSelect ?? true;
    const content = new Container();
    // The children themselves, whatever is added later.
    content.children = this.children;
    this.implicit = new ScrollView(content, { follow: "end", primary: true });
    this.mouse = new AltMouse({
      regions: () => this.regions,
      view: () => this.view(),
      lines: () => this.painter.lines,
      focus: (component) => this.setFocus(component),
      render: () => this.requestRender(),
      selected: () => {
        if (this.copyOnSelect) void this.copyActiveSelectionToClipboard();
      },
      openUrl: (url) => options.openUrl?.(url),
      paste: () => options.onRightClickPaste?.(),
      wheelLines: options.wheelScrollLines ?? "auto",
    });
  }

  setLayoutRoot(component: Component | undefined): void {
    this.root = component;
    this.requestRender();
  }

  override clear(): void {
    // In place: the implicit view shows this very list.
    this.children.length = 0;
  }

  get viewportTop(): number {
    return this.view().scrollTop;
  }

  get isFollowingOutput(): boolean {
    return this.view().isFollowingEnd;
  }

  scrollBy(lines: number): void {
    this.view().scrollBy(lines);
    this.requestRender();
  }

  scrollToTop(): void {
    this.view().scrollToStart();
    this.requestRender();
  }

  scrollToBottom(): void {
    this.view().scrollToEnd();
    this.requestRender();
  }

  setWheelScrollLines(lines: WheelScrollLines): void {
    this.mouse.speed.lines = lines;
  }

  getCopyOnSelect(): boolean {
    return this.copyOnSelect;
  }

  setCopyOnSelect(copy: boolean): void {
    this.copyOnSelect = copy;
  }

  hasActiveSelection(): boolean {
    return this.mouse.selection.active;
  }

  resetTextSelection(): void {
    this.mouse.selection.clear();
    this.requestRender();
  }

  /** The rows on the screen. */
  getScreenLines(): string[] {
    return [...this.painter.lines];
  }

  async copyActiveSelectionToClipboard(): Promise<boolean> {
    const view = this.view();
    const text = this.mouse.selection.text((line) => view.contentLines(line, line + 1)[0] ?? "");
    if (text === "") return false;
    if (!this.options.copySelection) {
      this.terminal.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
      this.flash("Copied!");
      return true;
    }
    try {
      const copied = await this.options.copySelection(text);
      const failed = copied === false;
      this.flash(typeof copied === "string" ? copied : failed ? "Not copied" : "Copied!", failed ? ERROR_MS : FLASH_MS);
      return !failed;
    } catch (error) {
      this.flash(`Not copied: ${error instanceof Error ? error.message : String(error)}`, ERROR_MS);
      return false;
    }
  }

  /** Shows a message at the top right for a while. */
  flash(text: string, ms = FLASH_MS): void {
    clearTimeout(this.flashed?.timer);
    const timer = setTimeout(() => {
      this.flashed = undefined;
      this.requestRender();
    }, ms);
    timer.unref();
    this.flashed = { text, timer };
    this.requestRender();
  }

  protected enter(): void {
    const enter = `\x1b[?1049h\x1b[?7l${this.mouseOn()}\x1b[2J\x1b[H\x1b[?25l`;
    this.terminal.restoreOnExit?.(this.leaveSequence(), "");
    this.terminal.write(enter);
    this.painter.reset();
  }

  protected leave({ preserveScreen }: TuiStopOptions): void {
    this.terminal.write(this.leaveSequence());
    if (preserveScreen !== false) return;
    const columns = Math.max(1, this.terminal.columns);
    const lines = (this.root ?? this.implicit).render(columns);
    if (lines.length > 0) this.terminal.write(`${this.painter.document(lines, columns).join("\r\n")}\r\n`);
  }

  protected drawFrame(force: boolean): void {
    const width = Math.max(1, this.terminal.columns);
    const height = Math.max(1, this.terminal.rows);
    const regions: Region[] = [];
    let lines = paintComponent(this.root ?? this.implicit, { x: 0, y: 0, width, height }, regions);
    this.regions = regions;
    const view = this.view();
    view.onScrollbarHide = () => this.requestRender();
    this.decorateView(lines, view, regions, width);
    if (this.hasOverlay()) lines = this.focus.stack.paint(lines, width, height);
    if (this.search) lines[height - 1] = this.searchBar(width);
    if (this.flashed) lines[0] = topRight(lines[0] ?? "", this.flashed.text, width);
    const frame = this.painter.paint(lines, width, height, { force, hardwareCursor: this.getShowHardwareCursor() });
    if (frame.full) this.countFullRedraw(force ? "asked for" : "first frame, or another size");
    if (frame.overWide) this.reportOverWide(lines, frame.overWide.index, frame.overWide.width);
    this.writeFrame(frame.out);
  }

  protected override handleScreenInput(data: string): boolean {
    if (this.mouse.handle(data)) return true;
    if (this.search) return this.handleSearchKey(data, this.search);
    const is = (id: Keybinding) => getKeybindings().matches(data, id);
    const view = this.view();
    const page = Math.max(1, view.viewportHeight - 4);
    if (is("tui.altScreen.pageUp")) this.scrollBy(-page);
    else if (is("tui.altScreen.pageDown")) this.scrollBy(page);
    else if (is("tui.altScreen.halfPageUp")) this.scrollBy(-Math.ceil(page / 2));
    else if (is("tui.altScreen.halfPageDown")) this.scrollBy(Math.ceil(page / 2));
    else if (is("tui.altScreen.lineUp")) this.scrollBy(-1);
    else if (is("tui.altScreen.lineDown")) this.scrollBy(1);
    else if (is("tui.altScreen.top")) this.scrollToTop();
    else if (is("tui.altScreen.bottom")) this.scrollToBottom();
    else if (is("tui.altScreen.previousPrompt")) this.jumpToPrompt(-1);
    else if (is("tui.altScreen.nextPrompt")) this.jumpToPrompt(1);
    else if (is("tui.altScreen.search")) this.openSearch();
    else return false;
    return true;
  }

  /** The scroll view that keys and selection belong to. */
  private view(): ScrollView {
    const views = this.regions.map(({ component }) => component).filter((component) => component instanceof ScrollView);
    return views.find((one) => one.primary) ?? views[0] ?? this.implicit;
  }

  private decorateView(lines: string[], view: ScrollView, regions: readonly Region[], width: number): void {
    const region = regions.find(({ component }) => component === view);
    // Beside other columns a line is not the view's alone.
    if (region?.x !== 0) return;
    const { selection } = this.mouse;
    for (let row = 0; row < region.height; row++) {
      const at = region.y + row;
      const index = view.scrollTop + row;
      const line = lines[at] ?? "";
      const selected = selection.columns(index, line);
      if (selected) lines[at] = highlightColumns(line, selected[0], selected[1], reverse);
    }
    this.showMatches(lines, view, region);
    const away = view.contentHeight - view.viewportHeight - view.scrollTop > 0;
    const label = this.options.scrollToEndIndicator;
    if (label && away && !view.isFollowingEnd && region.height > 0) {
      const last = region.y + region.height - 1;
      const shown = truncateToWidth(label, width, "");
      const start = Math.floor((width - visibleWidth(shown)) / 2);
      lines[last] = compositeTuiLine(padTo(lines[last] ?? "", start), shown, start, visibleWidth(shown), width);
    }
  }

  private showMatches(lines: string[], view: ScrollView, region: Region): void {
    if (!this.search) return;
    const { matches, current } = this.search;
    const plain = this.options.searchMatchStyle ?? ((text: string) => `\x1b[4m${text}\x1b[24m`);
    const marked = this.options.searchCurrentMatchStyle ?? reverse;
    for (const [at, match] of matches.entries()) {
      const row = match.line - view.scrollTop;
      if (row < 0 || row >= region.height) continue;
      const line = lines[region.y + row] ?? "";
      lines[region.y + row] = highlightColumns(line, match.from, match.to, at === current ? marked : plain);
    }
  }

  private openSearch(): void {
    const input = new Input({ prompt: "Search: " });
    input.focused = true;
    this.search = { input, matches: [], current: -1 };
    this.requestRender();
  }

  private handleSearchKey(data: string, search: NonNullable<typeof this.search>): boolean {
    const is = (id: Keybinding) => getKeybindings().matches(data, id);
    if (is("tui.altScreen.searchClose")) this.search = undefined;
    else if (is("tui.altScreen.searchPrevious")) this.showMatch(search.current - 1);
    else if (is("tui.altScreen.searchNext")) this.showMatch(search.current + 1);
    else {
      search.input.handleInput(data);
      const view = this.view();
      view.layOutAll();
      search.matches = findMatches(view.contentLines(0, view.contentHeight), search.input.getValue());
      const below = search.matches.findIndex(({ line }) => line >= view.scrollTop);
      this.showMatch(Math.max(0, below));
    }
    this.requestRender();
    return true;
  }

  private showMatch(index: number): void {
    if (!this.search) return;
    const count = this.search.matches.length;
    this.search.current = count === 0 ? -1 : (index + count) % count;
    const match = this.search.matches[this.search.current];
    const view = this.view();
    if (!match) return;
    const isVisible = match.line >= view.scrollTop && match.line < view.scrollTop + view.viewportHeight - 1;
    if (!isVisible) view.scrollTo(match.line - Math.floor(view.viewportHeight / 2), { disableFollow: true });
  }

  private searchBar(width: number): string {
    if (!this.search) return "";
    const { matches, current, input } = this.search;
    const style = this.options.searchNavigationButtonStyle ?? ((text: string) => text);
    const count = ` ${current + 1}/${matches.length} ↑ ↓ `;
    const room = width - visibleWidth(count);
    if (room < 12) return input.render(width)[0] ?? "";
    return (input.render(room)[0] ?? "") + style(count);
  }

  private jumpToPrompt(direction: 1 | -1): void {
    const view = this.view();
    view.layOutAll();
    const lines = view.contentLines(0, view.contentHeight);
    const starts = lines.flatMap((line, at) => (line.startsWith(PROMPT_MARK) ? [at] : []));
    const target =
      direction < 0 ? starts.findLast((line) => line < view.scrollTop) : starts.find((line) => line > view.scrollTop);
    if (target !== undefined) view.scrollTo(target, { disableFollow: true });
    else if (direction > 0) view.scrollToEnd();
    this.requestRender();
  }

  private mouseOn(): string {
    if (this.options.mouse === false) return "";
    const { TMUX, ZELLIJ, TERM = "" } = process.env;
    // Multiplexers forward each move to the program: too much over a slow line.
    const motion = TMUX || ZELLIJ || /^(screen|tmux)/.test(TERM) ? "" : "\x1b[?1003h";
    return `\x1b[?1000h\x1b[?1002h${motion}\x1b[?1004h\x1b[?1006h`;
  }

  private leaveSequence(): string {
    const mouse = this.options.mouse === false ? "" : "\x1b[?1006l\x1b[?1004l\x1b[?1003l\x1b[?1002l\x1b[?1000l";
    return `${mouse}\x1b[?7h\x1b[?1049l\x1b[?25h`;
  }
}

function padTo(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - visibleWidth(line)));
}

function topRight(line: string, text: string, width: number): string {
  const shown = truncateToWidth(` ${text} `, width, "");
  const start = width - visibleWidth(shown);
  return compositeTuiLine(padTo(line, start), reverse(shown), start, visibleWidth(shown), width);
}
