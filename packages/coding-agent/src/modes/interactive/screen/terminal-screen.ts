import {
  ProcessTerminal,
  type Terminal,
  type TUI,
  TuiAltScreen,
  type TuiAltScreenOptions,
  TuiMainScreen,
  type TuiMode,
} from "@earendil-works/pi-tui";
import type { DisplaySettings } from "../display.js";
import { currentTheme } from "../theme/current.js";
import type { TerminalLook, ThemeLoader } from "../theme/theme-loader.js";
import { Layout } from "./layout.js";
import { liveTui } from "./live-tui.js";

export interface ScreenOptions {
  display: DisplaySettings;
  themes: ThemeLoader;
  /** For a log of lines that were too wide. */
  agentDir: string;
  /** Default: the process's own. */
  terminal?: Terminal | undefined;
  /** Default: the settings say. */
  mode?: TuiMode | undefined;
}

/** How long the terminal may take to tell its colours. */
const COLOR_QUERY_MS = 1000;

/** The terminal with the layout on it, in either mode. Swapping the mode keeps everything that is shown. */
export class TerminalScreen {
  /** Stands for the screen of the moment. */
  readonly tui: TUI;
  readonly layout: Layout;
  /** Opens an address that was clicked. */
  openUrl: ((url: string) => void) | undefined;
  /** Copies a selection. */
  copySelection: ((text: string) => Promise<void>) | undefined;
  /** Called for shift+ctrl+d. */
  onDebug: (() => void) | undefined;
  #current: TUI;
  #isStarted = false;
  readonly #terminal: Terminal;
  readonly #options: ScreenOptions;
  #display: DisplaySettings;
  #suspendHandler: (() => void) | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#display = options.display;
    this.#terminal = options.terminal ?? new ProcessTerminal();
    this.layout = new Layout(options.display);
    this.#current = this.#make(options.mode ?? options.display.tuiMode);
    this.tui = liveTui(() => this.#current);
  }

  get mode(): TuiMode {
    return this.#current.mode;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  start(): void {
    this.#isStarted = true;
    this.layout.mount(this.#current);
    this.#current.start();
    this.#askForColors();
  }

  /** Gives the terminal back. `rest`: what stays of a fullscreen conversation on the main screen. */
  stop(rest: "transcript" | "nothing" = "nothing"): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.layout.leaveOnly(this.#current, rest);
    this.#current.stop({ preserveScreen: rest === "nothing" && this.mode === "fullscreen" });
  }

  /** Gives the terminal to another program; `resume` takes it back. */
  pause(): void {
    this.#current.stop({ preserveScreen: this.mode === "fullscreen" });
  }

  resume(): void {
    this.#current.start();
    this.#current.requestRender(true);
  }

  async drainInput(): Promise<void> {
    await this.#terminal.drainInput();
  }

  /** Goes to the other mode. @returns false while an overlay is open */
  setMode(mode: TuiMode): boolean {
    if (mode === this.mode) return true;
    if (this.#current.hasOverlay()) return false;
    const old = this.#current;
    if (this.#isStarted) old.stop({ preserveScreen: old.mode === "fullscreen" });
    this.#current = this.#make(mode);
    this.layout.mount(this.#current);
    if (this.#isStarted) this.#current.start();
    return true;
  }

  /** Called on SIGTSTP from outside. */
  setSuspendHandler(handler: () => void): void {
    this.#suspendHandler = handler;
    this.#current.setSuspendSignalHandler(handler);
  }

  /** Settings that the screen itself follows. */
  applyDisplay(display: DisplaySettings): void {
    this.#display = display;
    this.#current.setShowHardwareCursor(this.#hardwareCursor());
    this.#current.setClearOnShrink(this.#clearOnShrink());
    this.layout.setScrollbar(display.fullscreenScrollbar);
    if (this.#current instanceof TuiAltScreen) {
      this.#current.setCopyOnSelect(display.fullscreenCopyOnSelect);
      this.#current.setWheelScrollLines(display.fullscreenWheelScrollLines);
    }
  }

  /** The rows that are on the screen; empty in regular mode, where the terminal keeps them. */
  screenLines(): string[] {
    return this.#current instanceof TuiAltScreen ? this.#current.getScreenLines() : [];
  }

  #hardwareCursor(): boolean {
    return this.#display.showHardwareCursor || process.env["PI_HARDWARE_CURSOR"] === "1";
  }

  #clearOnShrink(): boolean {
    return this.#display.clearOnShrink || process.env["PI_CLEAR_ON_SHRINK"] === "1";
  }

  #make(mode: TuiMode): TUI {
    const { agentDir, themes } = this.#options;
    const cursor = this.#hardwareCursor();
    const tui =
      mode === "regular"
        ? new TuiMainScreen(this.#terminal, cursor, agentDir)
        : new TuiAltScreen(this.#terminal, cursor, agentDir, this.#altOptions());
    tui.setClearOnShrink(this.#clearOnShrink());
    tui.setSuspendSignalHandler(this.#suspendHandler);
    tui.onTerminalColorSchemeChange((scheme) => {
      themes.setLook({ scheme });
      this.#askForColors();
    });
    tui.setTerminalColorSchemeNotifications(true);
    tui.onDebug = () => this.onDebug?.();
    return tui;
  }

  #altOptions(): TuiAltScreenOptions {
    const display = this.#display;
    return {
      wheelScrollLines: display.fullscreenWheelScrollLines,
      copyOnSelect: display.fullscreenCopyOnSelect,
      searchMatchStyle: (text) => currentTheme().style(text, { fg: "searchMatchText", bg: "searchMatchBg" }),
      searchCurrentMatchStyle: (text) => currentTheme().inverse(text),
      scrollToEndIndicator: " ↓ ctrl+end: to the end ",
      openUrl: (url) => this.openUrl?.(url),
      copySelection: async (text) => {
        await this.copySelection?.(text);
        return this.copySelection !== undefined;
      },
    };
  }

  /** Colours follow as soon as the terminal tells them. */
  #askForColors(): void {
    const follow = (colors: TerminalLook["colors"]) => {
      if (!colors?.background && !colors?.palette) return;
      this.#options.themes.setLook({ colors });
    };
    void this.#current.queryTerminalColors({ timeoutMs: COLOR_QUERY_MS, onLateReply: follow }).then(follow);
  }
}
