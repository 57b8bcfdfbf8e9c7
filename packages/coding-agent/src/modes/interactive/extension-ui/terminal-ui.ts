import type { AutocompleteProvider, Component, Container } from "@earendil-works/pi-tui";
import { givenComponent, givenIndicator, givenText, givenTexts } from "../../../core/extensions/running/given.js";
import type {
  AutocompleteProviderFactory,
  CustomUIFactory,
  CustomUIOptions,
  EditorFactory,
  ExtensionUIContext,
  ExtensionUIDialogOptions,
  ExtensionWidgetOptions,
  FooterFactory,
  HeaderFactory,
  NotificationType,
  SetThemeResult,
  TerminalInputHandler,
  WidgetFactory,
  WorkingIndicatorOptions,
} from "../../../core/extensions/types/ui.js";
import { Theme } from "../../../core/themes/theme.js";
import { type Desk, errorText } from "../desk.js";
import type { FooterData } from "../footer/footer.js";
import { terminalTitle } from "../screen/title.js";
import type { WorkingIndicator } from "../screen/working-indicator.js";
import { getEditorTheme } from "../theme/component-themes.js";
import { currentTheme, setCurrentTheme } from "../theme/current.js";
import { showCustomUI } from "./custom-ui.js";
import { ExtensionDialogs } from "./dialogs.js";
import { givenEditor } from "./given-editor.js";
import { Widgets } from "./widgets.js";

/** What the terminal's side of extensions works on, beside the desk. */
export interface TerminalUISurroundings {
  indicator: WorkingIndicator;
  footerData: () => FooterData;
  /** The completion of the program itself. */
  completion: () => AutocompleteProvider;
  setExpanded: (expanded: boolean) => void;
}

const DEFAULT_THINKING_LABEL = "Thinking...";

/** `ctx.ui` at a terminal. Everything that extensions have put on screen goes with `reset`. */
export class TerminalExtensionUI implements ExtensionUIContext {
  #dialogs: ExtensionDialogs;
  readonly #widgets: Widgets;
  #header: Replacement;
  #footer: Replacement;
  #editorFactory: EditorFactory | undefined;
  #providers: AutocompleteProviderFactory[] = [];
  #isTitled = false;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly desk: Desk,
    private readonly around: TerminalUISurroundings,
  ) {
    const { layout } = desk.screen;
    this.#dialogs = new ExtensionDialogs(desk);
    const sides = { aboveEditor: layout.widgetsAbove, belowEditor: layout.widgetsBelow };
    this.#widgets = new Widgets(sides, desk.tui, this.#dispose);
    this.#header = new Replacement(layout.header, this.#dispose);
    this.#footer = new Replacement(layout.footer, this.#dispose);
  }

  /** Before a session is left, and before extensions are loaded again. */
  reset(): void {
    this.#dialogs.close();
    this.#dialogs = new ExtensionDialogs(this.desk);
    this.#widgets.clear();
    this.#header.restore();
    this.#footer.restore();
    this.around.footerData().clearStatuses();
    for (const end of this.#listeners) end();
    this.#listeners.clear();
    this.#providers = [];
    this.refreshCompletion();
    if (this.#isTitled) this.desk.tui.terminal.setTitle(terminalTitle(this.desk.session));
    this.#isTitled = false;
    if (this.#editorFactory) this.setEditorComponent(undefined);
    this.setWorkingMessage();
    this.setWorkingVisible(true);
    this.setWorkingIndicator();
    this.setHiddenThinkingLabel();
    this.desk.changed();
  }

  select(title: string, options: string[], dialog?: ExtensionUIDialogOptions): Promise<string | undefined> {
    return this.#dialogs.select(givenText(title), givenTexts(options), dialog);
  }

  confirm(title: string, message: string, dialog?: ExtensionUIDialogOptions): Promise<boolean> {
    return this.#dialogs.confirm(givenText(title), givenText(message), dialog);
  }

  input(title: string, placeholder?: string, dialog?: ExtensionUIDialogOptions): Promise<string | undefined> {
    return this.#dialogs.input(
      givenText(title),
      placeholder === undefined ? placeholder : givenText(placeholder),
      dialog,
    );
  }

  editor(title: string, prefill?: string): Promise<string | undefined> {
    return this.#dialogs.editor(givenText(title), givenText(prefill));
  }

  notify(message: string, type: NotificationType = "info"): void {
    const text = givenText(message);
    if (type === "error") this.desk.error(text);
    else if (type === "warning") this.desk.warning(text);
    else this.desk.status(text);
  }

  setStatus(key: string, text: string | undefined): void {
    this.around.footerData().setStatus(givenText(key), text === undefined ? text : givenText(text));
    this.desk.changed();
  }

  setWidget(key: string, content: string[] | WidgetFactory | undefined, options: ExtensionWidgetOptions = {}): void {
    this.#widgets.set(givenText(key), content, options?.placement);
  }

  setTitle(title: string): void {
    this.#isTitled = true;
    this.desk.tui.terminal.setTitle(givenText(title));
  }

  setEditorText(text: string): void {
    this.desk.editor.setText(givenText(text));
  }

  getEditorText(): string {
    return this.desk.editor.wholeText;
  }

  pasteToEditor(text: string): void {
    this.desk.editor.component.handleInput(`\x1b[200~${givenText(text)}\x1b[201~`);
    this.desk.tui.requestRender();
  }

  custom<T>(factory: CustomUIFactory<T>, options: CustomUIOptions = {}): Promise<T> {
    return showCustomUI(this.desk, factory, options ?? {}, this.#dialogs.ended, this.#dispose);
  }

  setFooter(factory: FooterFactory | undefined): void {
    const footer = factory?.(this.desk.tui, currentTheme(), this.around.footerData());
    this.#footer.set(footer && givenComponent(footer, "The footer"));
    this.desk.changed();
  }

  setHeader(factory: HeaderFactory | undefined): void {
    const made = factory?.(this.desk.tui, currentTheme());
    const header = made && givenComponent(made, "The header");
    header?.setExpanded?.(this.desk.look.expanded);
    this.#header.set(header);
    this.desk.changed();
  }

  setEditorComponent(factory: EditorFactory | undefined): void {
    const { editor, slot, tui, keybindings } = this.desk;
    const made = factory?.(tui, getEditorTheme(), keybindings);
    const next = made && givenEditor(made, (error) => this.#editorFailed(error, factory));
    this.#editorFactory = factory;
    this.#dispose(editor.component);
    editor.swap(next);
    slot.setEditor(editor.component);
    this.around.indicator.redraw();
  }

  getEditorComponent(): EditorFactory | undefined {
    return this.#editorFactory;
  }

  addAutocompleteProvider(factory: AutocompleteProviderFactory): void {
    this.#providers.push(factory);
    try {
      this.refreshCompletion();
    } catch (error) {
      this.#providers.pop();
      throw error;
    }
  }

  /** Commands and files have changed; what extensions put around their completion stays. */
  refreshCompletion(): void {
    const triggers = new Set<string>();
    const provider = this.#providers.reduce((current, wrap) => {
      for (const character of current.triggerCharacters ?? []) triggers.add(character);
      return wrap(current);
    }, this.around.completion());
    for (const character of provider.triggerCharacters ?? []) triggers.add(character);
    this.desk.editor.setAutocompleteProvider(withTriggers(provider, [...triggers]));
  }

  onTerminalInput(handler: TerminalInputHandler): () => void {
    const end = this.desk.tui.addInputListener((data) => {
      try {
        const { consume, data: changed } = handler(data) ?? {};
        return { consume: consume === true, ...(typeof changed === "string" && { data: changed }) };
      } catch (error) {
        this.desk.error(`An extension failed on a key: ${errorText(error)}`);
        return undefined;
      }
    });
    this.#listeners.add(end);
    return () => {
      this.#listeners.delete(end);
      end();
    };
  }

  setWorkingMessage(message?: string): void {
    this.around.indicator.setMessage(message === undefined ? message : givenText(message));
  }

  setWorkingVisible(visible: boolean): void {
    this.around.indicator.setVisible(visible);
  }

  setWorkingIndicator(options?: WorkingIndicatorOptions): void {
    this.around.indicator.setOptions(givenIndicator(options));
  }

  setHiddenThinkingLabel(label: string = DEFAULT_THINKING_LABEL): void {
    this.desk.transcript.apply({ hiddenThinkingLabel: givenText(label) });
    this.desk.tui.requestRender();
  }

  get theme(): Theme {
    return currentTheme();
  }

  getAllThemes(): { name: string; path?: string | undefined }[] {
    return this.desk.themes.list();
  }

  getTheme(name: string): Theme | undefined {
    return this.desk.themes.find(name);
  }

  setTheme(theme: string | Theme): SetThemeResult {
    if (typeof theme !== "string") {
      if (!(theme instanceof Theme)) return { success: false, error: "This is no theme of this program." };
      setCurrentTheme(theme);
      return { success: true };
    }
    const error = this.desk.themes.use(theme);
    if (error !== undefined) return { success: false, error };
    this.desk.session.settingsManager.setTheme(theme);
    return { success: true };
  }

  getToolsExpanded(): boolean {
    return this.desk.look.expanded;
  }

  setToolsExpanded(expanded: boolean): void {
    this.around.setExpanded(expanded === true);
  }

  /** The usual editor comes back with what was typed; whoever writes must not lose it to somebody's mistake. */
  #editorFailed(error: unknown, factory: EditorFactory | undefined): void {
    if (this.#editorFactory !== factory) return;
    this.desk.error(`The editor of an extension failed, and the usual one is back: ${errorText(error)}`);
    this.setEditorComponent(undefined);
  }

  /** Ends a component of an extension, whatever that does. */
  readonly #dispose = (component: Component): void => {
    try {
      (component as { dispose?: () => void }).dispose?.();
    } catch (error) {
      this.desk.error(`An extension failed when what it showed was taken away: ${errorText(error)}`);
    }
  };
}

/** The same completion, also asked after the characters that those inside it want. */
function withTriggers(provider: AutocompleteProvider, triggerCharacters: string[]): AutocompleteProvider {
  if (triggerCharacters.length === 0) return provider;
  return {
    triggerCharacters,
    getSuggestions: (...given) => provider.getSuggestions(...given),
    applyCompletion: (...given) => provider.applyCompletion(...given),
    ...(provider.shouldTriggerFileCompletion && {
      shouldTriggerFileCompletion: (...given) => provider.shouldTriggerFileCompletion?.(...given) ?? false,
    }),
  };
}

/** A part of the screen that an extension may put its own in place of; what was there before comes back. */
class Replacement {
  #usual: Component[] | undefined;

  constructor(
    private readonly area: Container,
    private readonly dispose: (component: Component) => void,
  ) {}

  set(component: Component | undefined): void {
    if (!component) {
      this.restore();
      return;
    }
    if (this.#usual) this.#end();
    else this.#usual = [...this.area.children];
    this.area.clear();
    this.area.addChild(component);
  }

  restore(): void {
    if (!this.#usual) return;
    this.#end();
    this.area.clear();
    for (const child of this.#usual) this.area.addChild(child);
    this.#usual = undefined;
  }

  #end(): void {
    for (const child of this.area.children) this.dispose(child);
  }
}
