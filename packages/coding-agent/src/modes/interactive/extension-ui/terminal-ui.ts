import type { AutocompleteProvider, Component, Container } from "@earendil-works/pi-tui";
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
    this.#widgets = new Widgets({ aboveEditor: layout.widgetsAbove, belowEditor: layout.widgetsBelow }, desk.tui);
    this.#header = new Replacement(layout.header);
    this.#footer = new Replacement(layout.footer);
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
    return this.#dialogs.select(title, options, dialog);
  }

  confirm(title: string, message: string, dialog?: ExtensionUIDialogOptions): Promise<boolean> {
    return this.#dialogs.confirm(title, message, dialog);
  }

  input(title: string, placeholder?: string, dialog?: ExtensionUIDialogOptions): Promise<string | undefined> {
    return this.#dialogs.input(title, placeholder, dialog);
  }

  editor(title: string, prefill?: string): Promise<string | undefined> {
    return this.#dialogs.editor(title, prefill);
  }

  notify(message: string, type: NotificationType = "info"): void {
    if (type === "error") this.desk.error(message);
    else if (type === "warning") this.desk.warning(message);
    else this.desk.status(message);
  }

  setStatus(key: string, text: string | undefined): void {
    this.around.footerData().setStatus(key, text);
    this.desk.changed();
  }

  setWidget(key: string, content: string[] | WidgetFactory | undefined, options: ExtensionWidgetOptions = {}): void {
    this.#widgets.set(key, content, options.placement);
  }

  setTitle(title: string): void {
    this.#isTitled = true;
    this.desk.tui.terminal.setTitle(title);
  }

  setEditorText(text: string): void {
    this.desk.editor.setText(text);
  }

  getEditorText(): string {
    return this.desk.editor.wholeText;
  }

  pasteToEditor(text: string): void {
    this.desk.editor.component.handleInput(`\x1b[200~${text}\x1b[201~`);
    this.desk.tui.requestRender();
  }

  custom<T>(factory: CustomUIFactory<T>, options: CustomUIOptions = {}): Promise<T> {
    return showCustomUI(this.desk, factory, options, this.#dialogs.ended);
  }

  setFooter(factory: FooterFactory | undefined): void {
    this.#footer.set(factory?.(this.desk.tui, currentTheme(), this.around.footerData()));
    this.desk.changed();
  }

  setHeader(factory: HeaderFactory | undefined): void {
    const header = factory?.(this.desk.tui, currentTheme());
    header?.setExpanded?.(this.desk.look.expanded);
    this.#header.set(header);
    this.desk.changed();
  }

  setEditorComponent(factory: EditorFactory | undefined): void {
    const { editor, slot, tui, keybindings } = this.desk;
    this.#editorFactory = factory;
    (editor.component as { dispose?: () => void }).dispose?.();
    editor.swap(factory?.(tui, getEditorTheme(), keybindings));
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
        return { ...(consume !== undefined && { consume }), ...(changed !== undefined && { data: changed }) };
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
    this.around.indicator.setMessage(message);
  }

  setWorkingVisible(visible: boolean): void {
    this.around.indicator.setVisible(visible);
  }

  setWorkingIndicator(options?: WorkingIndicatorOptions): void {
    this.around.indicator.setOptions(options);
  }

  setHiddenThinkingLabel(label: string = DEFAULT_THINKING_LABEL): void {
    this.desk.transcript.apply({ hiddenThinkingLabel: label });
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
    this.around.setExpanded(expanded);
  }
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

  constructor(private readonly area: Container) {}

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
    for (const child of this.area.children) (child as { dispose?: () => void }).dispose?.();
  }
}
