/** The contract of the package: what a component is, what draws it, and the terminal below. */

/** Something that draws itself as lines, one per terminal row. */
export interface Component {
  /**
   * Lines of at most `width` columns, without line breaks, each opening the styles it needs. The same array while
   * nothing has changed; nobody may write to it.
   */
  render(width: number): readonly string[];
  /** Drops what was laid out: the theme or the size of cells has changed. */
  invalidate(): void;
  /** One decoded key or paste, while focused. */
  handleInput?(data: string): void;
  /** Mouse over this component; fullscreen only. */
  handleMouse?(event: TuiMouseEvent): TuiMouseEventResult | undefined;
  /** Wants key releases too (Kitty protocol); default false. */
  wantsKeyRelease?: boolean;
  /** While focused, gets the keys of the transcript's viewport. */
  capturesViewportInput?: boolean;
}

/** A component that shows whether it has the focus; the TUI sets `focused`. */
export interface Focusable {
  focused: boolean;
}

export type TuiMouseEventType = "press" | "release" | "move" | "drag" | "click" | "wheel";
export type TuiMouseButton = "left" | "middle" | "right" | "none";

/** A mouse event in columns and rows; `x` and `y` count from the component's corner, the others from the screen's. */
export interface TuiMouseEvent {
  type: TuiMouseEventType;
  button: TuiMouseButton;
  x: number;
  y: number;
  screenX: number;
  screenY: number;
  width: number;
  height: number;
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
  /** Lines; negative is up. */
  wheelDelta?: number;
  clickCount?: number;
}

/** `capture` routes the drag and the release here; `capture` and `focus` imply `handled`. */
export interface TuiMouseEventResult {
  handled?: boolean;
  capture?: boolean;
  focus?: boolean;
  /** Draw a frame; default false for moves and releases, else true. */
  render?: boolean;
}

export type OverlayAnchor =
  | ("center" | "top-left" | "top-center" | "top-right" | "bottom-left")
  | ("bottom-center" | "bottom-right" | "left-center" | "right-center");

/** Cells, or a share of the terminal. */
export type SizeValue = number | `${number}%`;

export interface OverlayMargin {
  top?: number;
  right?: number;
  bottom?: number;
  left?: number;
}

export interface OverlayOptions {
  /** Default: 80, or less when the terminal is narrower. */
  width?: SizeValue;
  minWidth?: number;
  maxHeight?: SizeValue;
  /** Default `center`. */
  anchor?: OverlayAnchor;
  offsetX?: number;
  offsetY?: number;
  /** Absolute, or a share of the free space (`0%` is first, `100%` last); wins over the anchor. */
  row?: SizeValue;
  col?: SizeValue;
  margin?: number | OverlayMargin;
  /** Asked on each frame. */
  visible?: (termWidth: number, termHeight: number) => boolean;
  /** Do not take the focus. */
  nonCapturing?: boolean;
}

export interface OverlayBounds {
  row: number;
  col: number;
  width: number;
  height: number;
}

export interface OverlayUnfocusOptions {
  target: Component | null;
}

export interface OverlayHandle {
  hide(): void;
  setHidden(hidden: boolean): void;
  isHidden(): boolean;
  focus(): void;
  unfocus(options?: OverlayUnfocusOptions): void;
  isFocused(): boolean;
  /** Where it was drawn last. */
  getBounds(): OverlayBounds | undefined;
}

export type TuiMode = "regular" | "fullscreen";
export type TuiInputListenerResult = { consume?: boolean; data?: string } | undefined;
/** Sees input before the focused component; may change it (`""` drops it) or keep it to itself. */
export type TuiInputListener = (data: string) => TuiInputListenerResult;

export interface TuiStopOptions {
  /** Leave the screen as it is, for whoever draws next. */
  preserveScreen?: boolean;
}

export type TerminalColorScheme = "dark" | "light";

export interface RgbColor {
  r: number;
  g: number;
  b: number;
}

/** What the terminal answered; members it did not answer are missing. */
export interface TerminalColors {
  foreground?: RgbColor;
  background?: RgbColor;
  /** The first 16 colours, when all of them were answered. */
  palette?: RgbColor[];
}

export interface TerminalColorQuery {
  timeoutMs: number;
  /** Called when the answer came after the time was up. */
  onLateReply?: (colors: TerminalColors) => void;
}

/** Draws components into a terminal and hands its input to them. */
export interface TUI extends Component {
  readonly mode: TuiMode;
  children: Component[];
  terminal: Terminal;
  /** Called for shift+ctrl+d. */
  onDebug?: () => void;
  /** Frames that were drawn from nothing. */
  readonly fullRedraws: number;
  addChild(component: Component): void;
  removeChild(component: Component): void;
  clear(): void;
  getShowHardwareCursor(): boolean;
  setShowHardwareCursor(show: boolean): void;
  getClearOnShrink(): boolean;
  setClearOnShrink(clear: boolean): void;
  setFocus(component: Component | null): void;
  showOverlay(component: Component, options?: OverlayOptions): OverlayHandle;
  /** Removes the overlay shown last. */
  hideOverlay(): void;
  /** True while an overlay is visible. */
  hasOverlay(): boolean;
  start(): void;
  stop(options?: TuiStopOptions): void;
  /** Draws soon, once for many requests. `force`: as if nothing had been drawn before. */
  requestRender(force?: boolean): void;
  /** Draws now. */
  renderNow(force?: boolean): void;
  addInputListener(listener: TuiInputListener): () => void;
  removeInputListener(listener: TuiInputListener): void;
  onTerminalColorSchemeChange(listener: (scheme: TerminalColorScheme) => void): () => void;
  setTerminalColorSchemeNotifications(enabled: boolean): void;
  /** Called on SIGTSTP while this TUI owns the terminal. */
  setSuspendSignalHandler(handler: (() => void) | undefined): void;
  queryTerminalColors(query: TerminalColorQuery): Promise<TerminalColors>;
}

/** A TUI with a screen of its own, laid out by a root component. */
export interface ViewportTUI extends TUI {
  setLayoutRoot(component: Component | undefined): void;
}

/** State of the program, for terminals that show it. */
export interface ProgramStatus {
  state: "idle" | "working" | "blocked" | "done" | "error" | "clear";
  app?: string;
  kind?: "permission" | "question" | "auth";
  message?: string;
}

/** The terminal: bytes out, keys in. */
export interface Terminal {
  start(onInput: (data: string) => void, onResize: () => void): void;
  stop(): void;
  /** Bytes to write around the resets when the process ends without `stop`. */
  restoreOnExit?(before: string, after: string): void;
  /** Swallows input until it is quiet for `idleMs` (default 50) or `maxMs` (default 1000) are over. */
  drainInput(maxMs?: number, idleMs?: number): Promise<void>;
  write(data: string): void;
  readonly columns: number;
  readonly rows: number;
  readonly kittyProtocolActive: boolean;
  moveBy(lines: number): void;
  hideCursor(): void;
  showCursor(): void;
  clearLine(): void;
  clearFromCursor(): void;
  clearScreen(): void;
  setTitle(title: string): void;
  setProgress(active: boolean): void;
  setProgramStatus(status: ProgramStatus): void;
}
