import { setCapabilityOverrides, setKeybindings, type Terminal, type TuiMode } from "@earendil-works/pi-tui";
import type { DisplaySettings } from "./display.js";
import { PromptEditor } from "./input/prompt-editor.js";
import { AppKeybindings } from "./keys/keybindings-file.js";
import { StatusLine } from "./messages/status-line.js";
import { EditorSlot } from "./screen/editor-slot.js";
import { Header } from "./screen/header.js";
import { TerminalScreen } from "./screen/terminal-screen.js";
import { setCodeBlockIndent } from "./theme/component-themes.js";
import { currentTheme } from "./theme/current.js";
import { ThemeLoader, userThemes } from "./theme/theme-loader.js";

export interface FrontOptions {
  agentDir: string;
  display: DisplaySettings;
  /** Theme for this run. */
  theme?: string | undefined;
  /** Mode for this run. */
  tuiMode?: TuiMode | undefined;
  /** Show everything at the start, whatever the settings say. */
  verbose?: boolean | undefined;
  terminal?: Terminal | undefined;
}

/** What is on the screen before there is a session: the first frame does not wait for one. */
export class Front {
  readonly keybindings: AppKeybindings;
  readonly themes: ThemeLoader;
  /** Chosen for this run. */
  readonly theme: string | undefined;
  readonly screen: TerminalScreen;
  readonly editor: PromptEditor;
  readonly slot: EditorSlot;
  /** What went wrong so far, for the chat. */
  readonly problems: string[] = [];
  /** What keys that leave do before there is a session. */
  onLeave: () => void = () => {};
  readonly #outputPad: FrontOptions["display"]["outputPad"];
  #hasStarted = false;

  constructor(options: FrontOptions) {
    const { agentDir, display, terminal } = options;
    this.#outputPad = display.outputPad;
    this.keybindings = new AppKeybindings(agentDir);
    setKeybindings(this.keybindings);
    if (this.keybindings.error !== undefined) this.problems.push(this.keybindings.error);
    setCodeBlockIndent(display.codeBlockIndent);
    setCapabilityOverrides(display.capabilities);
    this.themes = new ThemeLoader(() => userThemes(agentDir));
    this.theme = options.theme;
    // One that is not there may be one of a package or of the project: that is not known yet.
    this.themes.use(options.theme ?? display.theme);
    this.screen = new TerminalScreen({ agentDir, display, themes: this.themes, terminal, mode: options.tuiMode });
    const { tui, layout } = this.screen;
    this.editor = new PromptEditor(tui, this.keybindings, display);
    this.editor.setBorderColor((text) => currentTheme().fg("borderMuted", text));
    this.slot = new EditorSlot(layout.editor, tui, () => this.start());
    layout.header.addChild(new Header(options.verbose ? false : display.quietStartup, display.outputPad));
    this.slot.setEditor(this.editor.component);
    this.editor.setActions({
      submit: (text) => {
        this.editor.setText(text);
        this.note("Startup is still in progress");
      },
      change: () => {},
      escape: () => {},
      exit: () => this.onLeave(),
      pasteImage: () => {},
      shortcut: () => false,
      handlers: new Map([
        [
          "app.clear",
          () => {
            if (this.editor.wholeText === "") this.onLeave();
            else this.editor.setText("");
          },
        ],
      ]),
    });
  }

  /** Says something below the chat until there is a session. */
  note(text: string): void {
    const { layout, tui } = this.screen;
    layout.status.clear();
    layout.status.addChild(new StatusLine(text, "dim", this.#outputPad));
    tui.requestRender();
  }

  /** Draws the first frame. Later calls do nothing: a screen that was given back stays so. */
  start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.screen.start();
  }
}
