import type { ImageContent } from "@earendil-works/pi-ai";
import type { TUI } from "@earendil-works/pi-tui";
import type { AgentSession } from "../../core/agent-session.js";
import type { AgentSessionRuntime } from "../../core/agent-session-runtime.js";
import { openBrowser } from "../../core/process/open-browser.js";
import { crashPlace, reportCrash } from "../crash/crash.js";
import { printLine } from "../output.js";
import { resumeCommand } from "../resume-command.js";
import { reportSessionDiagnostics } from "../session-diagnostics.js";
import { strayErrors } from "../stray-errors.js";
import { keysMarkdown } from "./commands/settings-commands.js";
import { findCommand } from "./commands/table.js";
import { type Desk, errorText } from "./desk.js";
import { type DisplaySettings, displaySettings } from "./display.js";
import { commandActions } from "./extension-ui/command-actions.js";
import { tellComponentFailures } from "./extension-ui/component-failures.js";
import { customRenderer, entryRenderer, extensionErrorText, toolRenderers } from "./extension-ui/renderers.js";
import { reportShortcuts, runShortcut } from "./extension-ui/shortcuts.js";
import { TerminalExtensionUI } from "./extension-ui/terminal-ui.js";
import { FooterComponent, FooterData } from "./footer/footer.js";
import { Front } from "./front.js";
import { promptCompletion } from "./input/autocomplete.js";
import { BashMode } from "./input/bash-mode.js";
import { copyToClipboard, pasteFromClipboard } from "./input/clipboard.js";
import { editExternally } from "./input/external-editor.js";
import { editorActions, setExpanded } from "./input/keys.js";
import { Prompts } from "./input/prompts.js";
import { watchEndings } from "./lifecycle/ending.js";
import { offerFirstSteps } from "./lifecycle/first-steps.js";
import { machineNotices } from "./lifecycle/machine-notices.js";
import { sayStartNotices } from "./lifecycle/start-notices.js";
import { suspend } from "./lifecycle/suspend.js";
import { findTmuxLinks } from "./lifecycle/tmux-links.js";
import { untrustedNotice } from "./lifecycle/untrusted-notice.js";
import { chatItems } from "./messages/chat-items.js";
import type { ChatLook } from "./messages/lazy-message.js";
import { registeredTransformer } from "./messages/markdown-transform.js";
import { Transcript } from "./messages/transcript.js";
import { drawImagesAsPng } from "./screen/images-as-png.js";
import { PendingMessages } from "./screen/pending-messages.js";
import { resourceSections } from "./screen/session-resources.js";
import { StreamPacer } from "./screen/stream-pacer.js";
import { terminalTitle } from "./screen/title.js";
import { WorkingIndicator } from "./screen/working-indicator.js";
import { openKeysHelp } from "./selectors/keys-help.js";
import { diagnosticsOn, handleSessionEvent } from "./session-events.js";
import { currentTheme, onThemeChange } from "./theme/current.js";
import { loadHighlighter } from "./theme/highlight.js";

export interface InteractiveModeOptions {
  /** What has been on the screen since before the session was there. */
  front?: Front | undefined;
  /** Sent at once. */
  initialMessage?: string | undefined;
  initialImages?: ImageContent[] | undefined;
  /** Sent after it, one by one. */
  messages?: readonly string[] | undefined;
  /** Said while the session was made. */
  notices?: readonly string[] | undefined;
}

/** How the mode leaves the main screen. */
export type ExitOutput = "transcript" | "resume-hint";

/** What goes through the terminal's scrollback, in regular mode and at the end: of long sessions the end is enough. */
const SCROLLBACK_MESSAGES = 100;

/** A person at a terminal. The assembly desk: parts in folders, each with one duty, meet here. */
export class InteractiveMode implements Desk {
  readonly runtime: AgentSessionRuntime;
  readonly transcript: Transcript;
  readonly look: ChatLook;
  readonly #front: Front;
  readonly #options: InteractiveModeOptions;
  readonly #indicator: WorkingIndicator;
  readonly #pending: PendingMessages;
  readonly #pacer: StreamPacer;
  readonly #prompts: Prompts;
  readonly #bash: BashMode;
  #footer: FooterData | undefined;
  #extensionUI: TerminalExtensionUI | undefined;
  #title = "";
  #unsubscribe = () => {};
  #stopReporting = () => {};
  #stopTelling = () => {};
  #finish = () => {};
  readonly #finished: Promise<void>;
  #isEnding = false;
  #bound: Promise<void> | undefined;
  #isBound = false;

  constructor(runtime: AgentSessionRuntime, options: InteractiveModeOptions = {}) {
    this.runtime = runtime;
    this.#options = options;
    const { agentDir, settingsManager } = runtime.services;
    const display = displaySettings(settingsManager);
    this.#front = options.front ?? new Front({ agentDir, display });
    this.look = {
      ...display,
      expanded: false,
      hideThinking: display.hideThinkingBlock,
      hiddenThinkingLabel: "Thinking...",
    };
    const { layout, tui } = this.screen;
    this.transcript = new Transcript({
      tui,
      look: this.look,
      cwd: runtime.cwd,
      toolRenderers: (name) => toolRenderers(this.session, name),
      transformers: [registeredTransformer(() => this.session.extensionRunner.getMarkdownTransformers())],
      customRenderer: (type) => customRenderer(this.session, this.look, type),
      entryRenderer: (type) => entryRenderer(this.session, type),
    });
    layout.chat.addChild(this.transcript);
    this.#pending = new PendingMessages(() => this.look.outputPad);
    layout.pending.addChild(this.#pending);
    this.#pacer = new StreamPacer(() => {
      this.transcript.showStream();
      tui.renderNow();
    });
    this.#indicator = new WorkingIndicator(tui, layout, this.editor, this.#pacer);
    this.#prompts = new Prompts(this, this.#pending);
    this.#bash = new BashMode(this, layout.pending);
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** What extensions talk to the user with. */
  get extensionUI(): TerminalExtensionUI {
    this.#extensionUI ??= new TerminalExtensionUI(this, {
      indicator: this.#indicator,
      footerData: () => this.#footerData(),
      completion: () => promptCompletion(this),
      setExpanded: (expanded) => setExpanded(this, expanded),
    });
    return this.#extensionUI;
  }

  #footerData(): FooterData {
    if (!this.#footer) throw new Error("The session is not on screen yet.");
    return this.#footer;
  }

  get session(): AgentSession {
    return this.runtime.session;
  }

  get screen() {
    return this.#front.screen;
  }

  get tui(): TUI {
    return this.screen.tui;
  }

  get slot() {
    return this.#front.slot;
  }

  get editor() {
    return this.#front.editor;
  }

  get themes() {
    return this.#front.themes;
  }

  get keybindings() {
    return this.#front.keybindings;
  }

  get display(): DisplaySettings {
    return displaySettings(this.session.settingsManager);
  }

  /** Shows the session and takes keys; `run` goes on from there. */
  init(): void {
    if (!this.screen.isStarted) this.#front.start();
    this.#stopTelling = tellComponentFailures(this);
    onThemeChange(() => {
      this.tui.invalidate();
      this.tui.requestRender(true);
    });
    this.editor.setActions(
      editorActions(this, {
        prompts: this.#prompts,
        bash: this.#bash,
        command: (text) => this.#submit(text, "steer"),
        submit: (text, behavior) => this.#submit(text, behavior),
        suspend: () => suspend(this),
        pasteImage: () => this.#attempt(() => pasteFromClipboard(this)),
        externalEditor: () => this.#attempt(() => this.#editExternally()),
        shortcut: (data) => runShortcut(this, data),
        showKeys: () => openKeysHelp(keysMarkdown(this), this.slot, this.tui, (text) => this.editor.insert(text)),
      }),
    );
    this.editor.setBorderColor((line) => {
      const theme = currentTheme();
      if (this.editor.text.trimStart().startsWith("!")) return theme.fg("bashMode", line);
      return theme.getThinkingBorderColor(this.session.thinkingLevel)(line);
    });
    this.screen.setSuspendHandler(() => suspend(this));
    this.screen.openUrl = openBrowser;
    this.screen.copySelection = (text) => copyToClipboard(text, this.tui);
    this.screen.onDebug = () => this.#submit("/debug", "steer");
    this.runtime.setBeforeSessionInvalidate(() => this.#extensionUI?.reset());
    this.runtime.setRebindSession(() => this.#bind());
    this.#bound = this.#bind();
    void machineNotices().then((notices) => {
      for (const notice of notices) this.warning(notice);
    });
    const redraw = () => {
      this.transcript.invalidate();
      this.tui.requestRender();
    };
    drawImagesAsPng(redraw);
    void findTmuxLinks().then((isFound) => isFound && redraw());
    void loadHighlighter().then(redraw);
  }

  /** Resolves when the session is on the screen and extensions have heard of it. */
  async whenShown(): Promise<void> {
    await this.#bound;
  }

  /** Until the user leaves. */
  async run(): Promise<void> {
    this.init();
    const stopWatching = watchEndings({
      end: () => this.#end(),
      restore: () => this.screen.stop(),
      isOfExtension: strayErrors(this.runtime),
      recordCrash: (error) => {
        const { session } = this;
        const { agentDir } = this.runtime.services;
        const place = crashPlace("interactive", agentDir, session, resumeCommand(session.sessionManager));
        return reportCrash(error, place, () => this.editor.wholeText);
      },
    });
    void this.#begin();
    await this.#finished;
    stopWatching();
  }

  /** Gives the terminal back. @param exitOutput default: as the settings say */
  stop(exitOutput: ExitOutput = this.display.fullscreenExitOutput): void {
    this.#stopTelling();
    this.#indicator.clear();
    this.transcript.keepLast(SCROLLBACK_MESSAGES);
    this.screen.stop(exitOutput === "transcript" ? "transcript" : "nothing");
  }

  showError(text: string): void {
    this.error(text);
  }

  showWarning(text: string): void {
    this.warning(text);
  }

  status(text: string): void {
    this.transcript.status(text);
    this.tui.requestRender();
  }

  error(text: string): void {
    this.transcript.error(text);
    this.tui.requestRender();
  }

  warning(text: string): void {
    this.transcript.warning(text);
    this.tui.requestRender();
  }

  showSession(): void {
    const items = chatItems(this.session.sessionManager.buildContextEntries());
    this.transcript.load(items, this.screen.mode === "regular" ? SCROLLBACK_MESSAGES : undefined);
    this.changed();
  }

  changed(): void {
    this.screen.layout.footer.invalidate();
    const title = terminalTitle(this.session);
    if (title !== this.#title) this.tui.terminal.setTitle(title);
    this.#title = title;
    this.tui.requestRender();
  }

  applyDisplay(): void {
    const { display } = this;
    this.screen.applyDisplay(display);
    this.editor.applyDisplay(display);
    const { outputPad, showImages, imageWidthCells } = display;
    this.transcript.apply({ outputPad, showImages, imageWidthCells, hideThinking: display.hideThinkingBlock });
    this.changed();
  }

  async reload(): Promise<void> {
    await this.session.reload({
      beforeInvalidate: () => this.extensionUI.reset(),
      beforeSessionStart: () => {
        this.keybindings.reload();
        this.showSession();
        this.themes.setThemes(() => this.session.resourceLoader.getThemes().themes);
        this.#useTheme();
        if (this.keybindings.error !== undefined) this.warning(this.keybindings.error);
        reportShortcuts(this);
      },
    });
    this.#resourcesChanged();
  }

  quit(): void {
    void this.#end().then(() => {
      const hint = resumeCommand(this.session.sessionManager);
      if (process.stdout.isTTY && hint !== undefined) {
        printLine(`${currentTheme().fg("dim", "To resume this session:")}\n${hint}`);
      }
      this.#finish();
    });
  }

  async #end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    await this.screen.drainInput();
    this.#unsubscribe();
    this.#footer?.close();
    this.themes.close();
    this.stop();
    await this.runtime.dispose();
  }

  /** Everything that belongs to one session. */
  async #bind(): Promise<void> {
    const { session } = this;
    this.#unsubscribe();
    this.#stopReporting();
    this.#stopReporting = reportSessionDiagnostics(
      session,
      diagnosticsOn(this, () => this.#isEnding),
    );
    session.onContextReplaced = () => this.showSession();
    this.#unsubscribe = session.subscribe((event) =>
      handleSessionEvent(this, event, {
        indicator: this.#indicator,
        pending: this.#pending,
        pacer: this.#pacer,
        settled: () => this.#bash.settle(),
        compacted: () => void this.#prompts.sendHeld(),
      }),
    );
    this.#footer?.close();
    const data = new FooterData(session.sessionManager.getCwd(), () => usableProviders(session));
    data.onBranchChange(() => this.changed());
    this.#footer = data;
    const { layout } = this.screen;
    layout.footer.clear();
    layout.footer.addChild(new FooterComponent(session, data));
    this.#showResources();
    this.extensionUI.refreshCompletion();
    this.#indicator.clear();
    this.#pending.set([], []);
    this.showSession();
    this.#findThemes();
    const { notices = [] } = this.#options;
    if (!this.#isBound)
      sayStartNotices(this, [...notices, ...this.#front.problems.splice(0).map((one) => `Warning: ${one}`)]);
    this.#isBound = true;
    reportShortcuts(this);
    const untrusted = untrustedNotice(session);
    if (untrusted !== undefined) this.warning(untrusted);
    await session.bindExtensions({
      mode: "tui",
      uiContext: this.extensionUI,
      commandContextActions: commandActions(this),
      abortHandler: () => {
        this.#prompts.takeBack();
        void session.abort();
      },
      shutdownHandler: () => void session.waitForIdle().then(() => this.quit()),
      onError: (error) => this.error(extensionErrorText(error)),
    });
    this.#resourcesChanged();
  }

  #showResources(): void {
    const { resources } = this.screen.layout;
    resources.clear();
    for (const part of resourceSections(this.session, this.display.quietStartup)) {
      part.setExpanded(this.look.expanded);
      resources.addChild(part);
    }
  }

  /** Extensions have said what else there is. */
  #resourcesChanged(): void {
    this.extensionUI.refreshCompletion();
    this.#showResources();
    this.changed();
  }

  /** The themes of the session's resources; the one that is wanted may be among them. */
  #findThemes(): void {
    this.themes.setThemes(() => this.session.resourceLoader.getThemes().themes);
    if (this.themes.isMissing || this.themes.setting !== this.#wantedTheme) this.#useTheme();
  }

  get #wantedTheme(): string {
    const { theme } = this.#front;
    // The one of this run, until another one is chosen.
    return theme !== undefined && theme === this.themes.setting ? theme : this.display.theme;
  }

  #useTheme(): void {
    const problem = this.themes.use(this.#wantedTheme);
    if (problem !== undefined) this.warning(problem);
  }

  async #begin(): Promise<void> {
    if (!this.session.model) await offerFirstSteps(this);
    await this.#sendInitial();
  }

  async #sendInitial(): Promise<void> {
    const { initialMessage, initialImages, messages = [] } = this.#options;
    const waiting = [...(initialMessage === undefined ? [] : [initialMessage]), ...messages];
    let images = initialImages;
    while (waiting.length > 0) {
      try {
        await this.session.prompt(waiting[0] ?? "", { images });
      } catch (error) {
        this.error(errorText(error));
        // What was not sent is not lost.
        if (this.editor.text === "") this.editor.setText(waiting.join("\n\n"));
        return;
      }
      images = undefined;
      waiting.shift();
    }
  }

  #submit(text: string, behavior: "steer" | "followUp"): void {
    const trimmed = text.trim();
    if (trimmed === "") return;
    this.editor.addToHistory(text);
    const found = findCommand(trimmed);
    if (found) this.#attempt(() => found.command.run(found.args, this));
    else if (trimmed.startsWith("!")) {
      if (!this.#bash.run(trimmed)) this.editor.setText(text);
    } else void this.#prompts.send(text, behavior);
  }

  async #editExternally(): Promise<void> {
    const command = this.session.settingsManager.getExternalEditorCommand();
    const text = await editExternally(this.editor.wholeText, command, this.screen);
    if (text === undefined) this.status(`${command} failed; the prompt is unchanged`);
    else this.editor.setText(text);
  }

  #attempt(work: () => Promise<void> | void): void {
    void Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.error(errorText(error)));
  }
}

function usableProviders({ modelRuntime }: AgentSession): number {
  return modelRuntime.providers.filter((id) => modelRuntime.hasConfiguredAuth(id)).length;
}
