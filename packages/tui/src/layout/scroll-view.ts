import { Container } from "../components/container.js";
import {
  anchorLine,
  collectLines,
  findAnchor,
  freshen,
  type LineAnchor,
  type LineNode,
  nodeOf,
} from "../screen/line-tree.js";
import { sliceByColumn } from "../text/slice.js";
import { visibleWidth } from "../text/width.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "../types.js";
import { type AreaComponent, measureHeight, paintArea, type Rectangle } from "./paint.js";

export type ScrollViewScrollbar = "hidden" | "auto" | "always";

export interface ScrollViewScrollToOptions {
  /** Stay there when the content grows. */
  disableFollow?: boolean;
}

export interface ScrollViewOptions {
  axis?: "vertical";
  /** `end`: stays at the end while it is there. Default `none`. */
  follow?: "none" | "end";
  /** The view that the keys of the screen scroll. */
  primary?: boolean;
  /** At its ends the wheel scrolls what is around (`chain`, the default) or nothing. */
  overscroll?: "chain" | "contain";
  /** Default `auto`: while something scrolls. */
  scrollbar?: ScrollViewScrollbar;
  scrollbarTrackStyle?: (text: string) => string;
  scrollbarThumbStyle?: (text: string) => string;
  /** Default 1000. */
  scrollbarHideDelayMs?: number;
}

/** A window on a component that is higher. Only the lines in the window are read. */
export class ScrollView extends Container implements AreaComponent {
  viewportHeight = 0;
  /** Called when the scrollbar of an `auto` view should go. */
  onScrollbarHide: (() => void) | undefined;
  private top = 0;
  private following: boolean;
  private content: LineNode | undefined;
  private width = 1;
  /** The line at the top, by its component: it stays there when lines above it come or go. */
  private anchor: LineAnchor | undefined;
  private activeUntil = 0;
  private hideTimer: NodeJS.Timeout | undefined;
  private scrollbar: ScrollViewScrollbar;
  private dragging = false;

  constructor(
    private readonly component: Component,
    private readonly options: ScrollViewOptions = {},
  ) {
    super();
    super.addChild(component);
    this.following = options.follow === "end";
    this.scrollbar = options.scrollbar ?? "auto";
  }

  get primary(): boolean {
    return this.options.primary ?? false;
  }

  get scrollTop(): number {
    return this.top;
  }

  get isFollowingEnd(): boolean {
    return this.following;
  }

  get contentHeight(): number {
    return this.content?.length ?? 0;
  }

  setScrollbar(scrollbar: ScrollViewScrollbar): void {
    this.scrollbar = scrollbar;
  }

  scrollTo(top: number, { disableFollow = false }: ScrollViewScrollToOptions = {}): void {
    const last = this.lastTop();
    this.top = Math.max(0, Math.min(last, Math.round(top)));
    this.anchor = undefined;
    this.following = !disableFollow && this.options.follow === "end" && this.top >= last;
    this.wake();
  }

  scrollBy(lines: number): void {
    this.scrollTo(this.top + lines);
  }

  scrollToStart(): void {
    this.scrollTo(0);
  }

  scrollToEnd(): void {
    this.scrollTo(this.lastTop());
  }

  /** Lays out everything, where only what is in the window is: for a search. */
  layOutAll(): void {
    this.anchor ??= this.content && anchorLine(this.content, this.top);
    this.content = nodeOf(this.component, this.width, this.content);
    this.top = (this.anchor && findAnchor(this.content, this.anchor)) ?? this.top;
  }

  /** Lines of the content, wherever the window is. */
  contentLines(from: number, to: number): string[] {
    const lines: string[] = [];
    if (this.content) collectLines(this.content, from, to, lines);
    return lines;
  }

  [measureHeight](width: number): number {
    return nodeOf(this.component, width, this.content, { rows: 0, guess: true }).length;
  }

  [paintArea](area: Rectangle): string[] {
    this.viewportHeight = area.height;
    this.width = area.width;
    // A bar that comes and goes must not move the text: it lies over the last column.
    const rows = this.following ? area.height : 0;
    let content = nodeOf(this.component, area.width, this.content, { rows, guess: true });
    this.content = content;
    if (!this.following && this.anchor) this.top = findAnchor(content, this.anchor) ?? this.top;
    this.top = this.following ? this.lastTop() : Math.min(this.top, this.lastTop());
    // What comes into the window may be higher or lower than it was taken for.
    for (let attempt = 0; attempt < area.height + 2; attempt++) {
      const anchor = anchorLine(content, this.top);
      const fresh = freshen(content, area.width, this.top, this.top + area.height);
      if (fresh === content) break;
      content = fresh;
      this.content = fresh;
      this.top = this.following ? this.lastTop() : Math.min(findAnchor(fresh, anchor) ?? this.top, this.lastTop());
    }
    this.anchor = this.following ? undefined : anchorLine(content, this.top);
    const lines = this.contentLines(this.top, this.top + area.height);
    while (lines.length < area.height) lines.push("");
    return this.showsScrollbar() ? this.withScrollbar(lines, area.width) : lines;
  }

  override handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type === "wheel") return this.wheel(event);
    const onBar = this.showsScrollbar() && event.x === event.width - 1;
    if ((onBar && event.type === "press") || this.dragging) {
      this.dragging = event.type !== "release";
      const share = event.y / Math.max(1, event.height - 1);
      this.scrollTo(share * this.lastTop());
      return { capture: true, render: true };
    }
    return this.component.handleMouse?.({ ...event, y: event.y + this.top, height: this.contentHeight });
  }

  private wheel(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const inner = this.component.handleMouse?.({ ...event, y: event.y + this.top, height: this.contentHeight });
    if (inner) return inner;
    const before = this.top;
    this.scrollBy(event.wheelDelta ?? 0);
    const stays = before === this.top && this.options.overscroll !== "contain";
    return stays ? undefined : { handled: true };
  }

  private lastTop(): number {
    return Math.max(0, this.contentHeight - this.viewportHeight);
  }

  private wake(): void {
    if (this.scrollbar !== "auto") return;
    const delay = this.options.scrollbarHideDelayMs ?? 1000;
    this.activeUntil = performance.now() + delay;
    clearTimeout(this.hideTimer);
    this.hideTimer = setTimeout(() => this.onScrollbarHide?.(), delay + 1);
    this.hideTimer.unref();
  }

  private showsScrollbar(): boolean {
    if (this.lastTop() === 0 || this.scrollbar === "hidden") return false;
    return this.scrollbar === "always" || performance.now() < this.activeUntil;
  }

  private withScrollbar(lines: readonly string[], width: number): string[] {
    const height = lines.length;
    const size = Math.max(1, Math.round((height * height) / this.contentHeight));
    const start = Math.round((this.top / this.lastTop()) * (height - size));
    const thumb = this.options.scrollbarThumbStyle ?? ((text: string) => text);
    const track = this.options.scrollbarTrackStyle ?? ((text: string) => `\x1b[2m${text}\x1b[22m`);
    return lines.map((line, row) => {
      const kept = visibleWidth(line) >= width ? sliceByColumn(line, 0, width - 1, true) : line;
      const bar = row >= start && row < start + size ? thumb("┃") : track("│");
      const reset = kept.includes("\x1b") ? "\x1b[0m\x1b]8;;\x07" : "";
      return `${kept}${reset}${" ".repeat(Math.max(0, width - 1 - visibleWidth(kept)))}${bar}`;
    });
  }
}
