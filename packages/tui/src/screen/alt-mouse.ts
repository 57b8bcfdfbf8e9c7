import type { Region } from "../layout/paint.js";
import type { ScrollView } from "../layout/scroll-view.js";
import { getOsc8LinkAtColumn } from "../text/links.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult, TuiMouseEventType } from "../types.js";
import { type MouseReport, parseMouse, type WheelScrollLines, WheelSpeed } from "./mouse-input.js";
import { TextSelection } from "./text-selection.js";

const MULTI_CLICK_MS = 500;
const FAST_WHEEL = 5;

/** What the mouse needs from the screen it works on. */
interface AltMouseHost {
  /** Parts of the screen, the innermost last. */
  readonly regions: () => readonly Region[];
  readonly view: () => ScrollView;
  readonly lines: () => readonly string[];
  readonly focus: (component: Component) => void;
  readonly render: () => void;
  readonly selected: () => void;
  readonly openUrl: (url: string) => void;
  readonly paste: () => void;
  readonly wheelLines: WheelScrollLines;
}

/** The mouse on the alternate screen: components first, then links and the selection of text. */
export class AltMouse {
  readonly selection = new TextSelection();
  readonly speed: WheelSpeed;
  private captured: Region | undefined;
  private pressed: { x: number; y: number; button: string } | undefined;
  private lastClick = { x: -1, y: -1, at: Number.NEGATIVE_INFINITY, count: 0 };
  private selecting = false;

  constructor(private readonly host: AltMouseHost) {
    this.speed = new WheelSpeed(host.wheelLines);
  }

  /** Takes reports of the mouse and of the window's focus; false for other input. */
  handle(data: string): boolean {
    if (data === "\x1b[I" || data === "\x1b[O") return true;
    const report = parseMouse(data);
    if (!report) return false;
    if (report.type === "wheel") this.wheel(report);
    else if (report.type === "press") this.press(report);
    else if (report.type === "drag") this.drag(report);
    else if (report.type === "release") this.release(report);
    else this.send(report, "move");
    return true;
  }

  private wheel(report: MouseReport): void {
    const lines = this.speed.step(performance.now()) * (report.alt ? FAST_WHEEL : 1);
    const wheelDelta = report.wheel * lines;
    if (!this.send(report, "wheel", { wheelDelta })) {
      this.host.view().scrollBy(wheelDelta);
      this.host.render();
    }
  }

  private press(report: MouseReport): void {
    const { screenX: x, screenY: y, button } = report;
    this.pressed = { x, y, button };
    const now = performance.now();
    const again = this.lastClick.x === x && this.lastClick.y === y && now - this.lastClick.at < MULTI_CLICK_MS;
    this.lastClick = { x, y, at: now, count: again ? (this.lastClick.count % 3) + 1 : 1 };
    if (this.selection.active) this.host.render();
    this.selection.clear();
    this.selecting = false;
    if (this.send(report, "press", { clickCount: this.lastClick.count })) return;
    if (button === "right" && process.platform === "win32") this.host.paste();
    const cell = this.cellAt(report);
    if (button !== "left" || !cell) return;
    const unit = (["character", "word", "line"] as const)[this.lastClick.count - 1] ?? "character";
    this.selection.begin(cell, unit);
    this.selecting = true;
    if (unit !== "character") this.host.render();
  }

  private drag(report: MouseReport): void {
    if (this.captured) {
      this.sendTo(this.captured, report, "drag");
      return;
    }
    if (!this.selecting) {
      this.send(report, "drag");
      return;
    }
    const view = this.host.view();
    const region = this.viewRegion();
    if (!region) return;
    if (report.screenY <= region.y) view.scrollBy(-1);
    else if (report.screenY >= region.y + region.height - 1) view.scrollBy(1);
    const row = Math.max(0, Math.min(region.height - 1, report.screenY - region.y));
    this.selection.extend({ line: view.scrollTop + row, column: Math.max(0, report.screenX - region.x) });
    this.host.render();
  }

  private release(report: MouseReport): void {
    const { pressed, captured } = this;
    this.pressed = undefined;
    this.captured = undefined;
    if (captured) this.sendTo(captured, report, "release");
    else if (!this.selecting) this.send(report, "release");
    const clicked = pressed?.x === report.screenX && pressed.y === report.screenY;
    if (this.selecting && this.selection.active) this.host.selected();
    this.selecting = false;
    if (!clicked || !pressed) return;
    const clickCount = this.lastClick.count;
    if (this.send({ ...report, button: pressed.button as MouseReport["button"] }, "click", { clickCount })) return;
    const url = getOsc8LinkAtColumn(this.host.lines()[report.screenY] ?? "", report.screenX);
    if (url !== undefined && clickCount === 1) this.host.openUrl(url);
  }

  /** Offers an event to the components at its place, from the inside; true when one took it. */
  private send(report: MouseReport, type: TuiMouseEventType, more: Partial<TuiMouseEvent> = {}): boolean {
    const { screenX: x, screenY: y } = report;
    const hit = this.host
      .regions()
      .filter((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
    return hit.reverse().some((region) => this.sendTo(region, report, type, more));
  }

  private sendTo(
    region: Region,
    report: MouseReport,
    type: TuiMouseEventType,
    more: Partial<TuiMouseEvent> = {},
  ): boolean {
    const { screenX, screenY, button, shift, alt, ctrl } = report;
    const { x, y, width, height, component } = region;
    const place = { x: screenX - x, y: screenY - y, screenX, screenY, width, height };
    const result = component.handleMouse?.({ type, button, ...place, shift, alt, ctrl, ...more });
    if (!result) return false;
    return this.apply(result, region, type);
  }

  private apply(result: TuiMouseEventResult, region: Region, type: TuiMouseEventType): boolean {
    if (result.capture && type !== "release") this.captured = region;
    if (result.focus) this.host.focus(region.component);
    const handled = Boolean(result.handled || result.capture || result.focus);
    if (result.render ?? (handled && type !== "move" && type !== "release")) this.host.render();
    return handled;
  }

  private viewRegion(): Region | undefined {
    const view = this.host.view();
    return this.host.regions().find(({ component }) => component === view);
  }

  private cellAt({ screenX, screenY }: MouseReport): { line: number; column: number } | undefined {
    const region = this.viewRegion();
    if (!region || screenY < region.y || screenY >= region.y + region.height) return undefined;
    return { line: this.host.view().scrollTop + screenY - region.y, column: Math.max(0, screenX - region.x) };
  }
}
