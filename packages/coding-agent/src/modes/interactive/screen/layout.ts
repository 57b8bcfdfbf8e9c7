import { Container, isViewportTUI, ScrollView, type TUI, VStack } from "@earendil-works/pi-tui";
import type { DisplaySettings } from "../display.js";
import { currentTheme } from "../theme/current.js";

const ROW: readonly string[] = [""];
const NOTHING: readonly string[] = [];

/** The parts of the screen from top to bottom. The first three scroll; the others stay at the bottom in fullscreen. */
export class Layout {
  readonly header = new Container();
  readonly resources = new Container();
  readonly chat = new Container();
  readonly pending = new Container();
  readonly status = new Container();
  readonly widgetsAbove = new Container();
  readonly editor = new Container();
  readonly widgetsBelow = new Container();
  readonly footer = new Container();
  readonly document = new Container();
  readonly #view: ScrollView;
  readonly #root: VStack;

  constructor(display: DisplaySettings) {
    for (const part of [this.header, this.resources, this.chat]) this.document.addChild(part);
    this.#view = new ScrollView(this.document, {
      follow: "end",
      primary: true,
      scrollbar: display.fullscreenScrollbar,
      scrollbarTrackStyle: (text) => currentTheme().fg("scrollbarTrack", text),
      scrollbarThumbStyle: (text) => currentTheme().fg("scrollbarThumb", text),
    });
    const dock = new VStack();
    for (const part of this.#below()) {
      dock.addChild(part, { shrink: 1, ...(part === this.editor && { minSize: 3 }) });
    }
    this.#root = new VStack([
      { component: this.#view, basis: 0, grow: 1, minSize: 1 },
      { component: dock, shrink: 1 },
    ]);
  }

  /** Puts the parts on a screen. */
  mount(tui: TUI): void {
    tui.clear();
    if (isViewportTUI(tui)) {
      tui.setLayoutRoot(this.#root);
      return;
    }
    tui.addChild(this.document);
    for (const part of this.#below()) tui.addChild(part);
  }

  /** What is left on the main screen when the fullscreen one is left: the conversation without what surrounds it. */
  leaveOnly(tui: TUI, parts: "transcript" | "nothing"): void {
    if (isViewportTUI(tui)) tui.setLayoutRoot(parts === "transcript" ? this.document : new Container());
  }

  setScrollbar(scrollbar: DisplaySettings["fullscreenScrollbar"]): void {
    this.#view.setScrollbar(scrollbar);
  }

  scrollToEnd(): void {
    if (!this.#view.isFollowingEnd) this.#view.scrollToEnd();
  }

  #below(): Container[] {
    return [this.pending, this.status, this.#aboveEditor, this.editor, this.widgetsBelow, this.footer];
  }

  /** Without widgets one empty row keeps the chat and the editor apart. */
  readonly #aboveEditor = withRow(this.widgetsAbove);
}

function withRow(widgets: Container): Container {
  const area = new Container();
  area.addChild(widgets);
  area.addChild({ invalidate: () => {}, render: () => (widgets.children.length === 0 ? ROW : NOTHING) });
  return area;
}
