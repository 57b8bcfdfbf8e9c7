import { Container } from "../components/container.js";
import { isKeyRelease, matchesKey } from "../keys/keys.js";
import { getCapabilities, setCellDimensions } from "../terminal/capabilities.js";
import { parseCellSize, parseTerminalColorSchemeReport } from "../terminal/replies.js";
import type {
  Component,
  OverlayHandle,
  OverlayOptions,
  Terminal,
  TerminalColorQuery,
  TerminalColorScheme,
  TerminalColors,
  TUI,
  TuiInputListener,
  TuiMode,
  TuiStopOptions,
} from "../types.js";
import { ColorQueries } from "./color-query.js";
import { invalidateComponent, tellFailure } from "./draw-component.js";
import { FocusManager } from "./focus.js";
import { FrameClock } from "./frame-clock.js";
import { reportOverWideLine } from "./over-wide.js";
import { logFullRedraw } from "./redraw-log.js";

const MAX_WRITE = 1024 * 1024;

/** What both screens share: input on its way to the focused component, focus, overlays, and when to draw. */
export abstract class TuiBase extends Container implements TUI {
  abstract readonly mode: TuiMode;
  onDebug?: () => void;
  fullRedraws = 0;
  protected readonly focus: FocusManager;
  protected running = false;
  private readonly clock = new FrameClock(() => this.renderNow());
  private readonly listeners = new Set<TuiInputListener>();
  private readonly schemeListeners = new Set<(scheme: TerminalColorScheme) => void>();
  private readonly queries = new ColorQueries();
  private clearOnShrink = process.env["PI_CLEAR_ON_SHRINK"] === "1";
  private overWideReported = false;
  private suspendHandler: (() => void) | undefined;
  private schemeNotifications = false;

  constructor(
    public terminal: Terminal,
    private hardwareCursor = process.env["PI_HARDWARE_CURSOR"] === "1",
    private readonly logDirectory?: string,
  ) {
    super();
    const size = () => ({ columns: Math.max(1, terminal.columns), rows: Math.max(1, terminal.rows) });
    this.focus = new FocusManager(this, size, () => this.requestRender());
  }

  /** Draws one frame; `force`: what was drawn before is unknown. */
  protected abstract drawFrame(force: boolean): void;
  protected abstract enter(): void;
  protected abstract leave(options: TuiStopOptions): void;
  /** Input for the screen itself (mouse, scrolling); true when taken. */
  protected handleScreenInput(_data: string): boolean {
    return false;
  }

  getShowHardwareCursor(): boolean {
    return this.hardwareCursor;
  }

  setShowHardwareCursor(show: boolean): void {
    this.hardwareCursor = show;
    this.requestRender();
  }

  getClearOnShrink(): boolean {
    return this.clearOnShrink;
  }

  setClearOnShrink(clear: boolean): void {
    this.clearOnShrink = clear;
  }

  setFocus(component: Component | null): void {
    this.focus.setFocus(component);
  }

  showOverlay(component: Component, options: OverlayOptions = {}): OverlayHandle {
    return this.focus.show(component, options);
  }

  hideOverlay(): void {
    this.focus.removeLast();
  }

  hasOverlay(): boolean {
    return this.focus.hasVisible();
  }

  override invalidate(): void {
    super.invalidate();
    for (const { component } of this.focus.stack.overlays) invalidateComponent(component);
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    this.clock.start();
    this.terminal.start(
      (data) => this.receive(data),
      () => this.requestRender(),
    );
    if (this.suspendHandler) process.on("SIGTSTP", this.suspendHandler);
    this.enter();
    if (this.schemeNotifications) this.terminal.write("\x1b[?2031h");
    if (getCapabilities().images) this.terminal.write("\x1b[16t");
    this.requestRender();
  }

  stop(options: TuiStopOptions = {}): void {
    if (!this.running) return;
    this.running = false;
    this.clock.stop();
    if (this.suspendHandler) process.off("SIGTSTP", this.suspendHandler);
    if (this.schemeNotifications) this.terminal.write("\x1b[?2031l");
    this.leave(options);
    this.terminal.showCursor();
    this.terminal.stop();
  }

  private forced = false;

  requestRender(force = false): void {
    this.forced ||= force;
    this.clock.request(force);
  }

  renderNow(force = false): void {
    if (!this.running) return;
    this.clock.drawn();
    this.focus.settle();
    const forced = force || this.forced;
    this.forced = false;
    this.drawFrame(forced);
  }

  addInputListener(listener: TuiInputListener): () => void {
    this.listeners.add(listener);
    return () => this.removeInputListener(listener);
  }

  removeInputListener(listener: TuiInputListener): void {
    this.listeners.delete(listener);
  }

  onTerminalColorSchemeChange(listener: (scheme: TerminalColorScheme) => void): () => void {
    this.schemeListeners.add(listener);
    return () => this.schemeListeners.delete(listener);
  }

  setTerminalColorSchemeNotifications(enabled: boolean): void {
    if (this.running && enabled !== this.schemeNotifications) this.terminal.write(`\x1b[?2031${enabled ? "h" : "l"}`);
    this.schemeNotifications = enabled;
  }

  setSuspendSignalHandler(handler: (() => void) | undefined): void {
    if (this.running && this.suspendHandler) process.off("SIGTSTP", this.suspendHandler);
    this.suspendHandler = handler;
    if (this.running && handler) process.on("SIGTSTP", handler);
  }

  queryTerminalColors(query: TerminalColorQuery): Promise<TerminalColors> {
    return this.queries.ask((data) => this.terminal.write(data), query);
  }

  /** One frame in one write, where it is not too long for one; synchronised, so that nobody sees half of it. */
  protected writeFrame(body: string): void {
    if (body === "") return;
    const frame = `\x1b[?2026h${body}\x1b[?2026l`;
    for (let at = 0; at < frame.length; ) {
      let end = Math.min(frame.length, at + MAX_WRITE);
      const last = frame.charCodeAt(end - 1);
      if (end < frame.length && last >= 0xd800 && last <= 0xdbff) end--;
      this.terminal.write(frame.slice(at, end));
      at = end;
    }
  }

  /** A line was cut. Said once: the same component is likely to draw too wide in each frame. */
  /** A whole screen is drawn, not what differs. */
  protected countFullRedraw(reason: string): void {
    this.fullRedraws++;
    logFullRedraw(reason, this.logDirectory);
  }

  protected reportOverWide(lines: readonly string[], index: number, width: number): void {
    if (this.overWideReported) return;
    this.overWideReported = true;
    reportOverWideLine(lines, index, width, this.terminal.columns, this.logDirectory);
  }

  private receive(data: string): void {
    if (this.queries.take(data)) return;
    const scheme = parseTerminalColorSchemeReport(data);
    if (scheme) {
      for (const listener of [...this.schemeListeners]) listener(scheme);
      return;
    }
    let input = data;
    for (const listener of [...this.listeners]) {
      const result = listener(input);
      if (result?.consume) return;
      if (result?.data !== undefined) input = result.data;
      if (input === "") return;
    }
    const cell = parseCellSize(input);
    if (cell) {
      setCellDimensions(cell);
      this.invalidate();
      this.requestRender();
      return;
    }
    if (this.onDebug && matchesKey(input, "shift+ctrl+d")) {
      this.onDebug();
      return;
    }
    this.dispatch(input);
  }

  private dispatch(input: string): void {
    this.focus.settle();
    const target = this.focus.focused;
    const captures = Boolean(target?.capturesViewportInput) || this.focus.stack.of(target) !== undefined;
    if (!captures && this.handleScreenInput(input)) return;
    if (!target?.handleInput || (isKeyRelease(input) && !target.wantsKeyRelease)) return;
    try {
      target.handleInput(input);
    } catch (error) {
      // The next key finds the component as it is, and the rest of the program as it was.
      if (!tellFailure(error, target)) throw error;
    }
    this.clock.request(true);
  }
}
