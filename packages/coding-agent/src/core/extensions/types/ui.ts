/** How extensions talk with the user, in every mode. Source: extensions.md section 8. */
import type {
  AutocompleteProvider,
  Component,
  EditorComponent,
  EditorTheme,
  OverlayHandle,
  OverlayOptions,
  TUI,
} from "@earendil-works/pi-tui";
import type { KeybindingsManager } from "./keybindings.js";
import type { Theme } from "./theme.js";

export interface ExtensionUIDialogOptions {
  /** Closes the dialog; its answer is the one of a dialog that was cancelled. */
  signal?: AbortSignal | undefined;
  /** ms after which the dialog closes as if it had been cancelled. */
  timeout?: number | undefined;
}

export type NotificationType = "info" | "warning" | "error";
export type WidgetPlacement = "aboveEditor" | "belowEditor";

export interface ExtensionWidgetOptions {
  /** Default `aboveEditor`. */
  placement?: WidgetPlacement | undefined;
}

export interface WorkingIndicatorOptions {
  /** Shown in turn, as they are; none hides the indicator. */
  frames?: string[] | undefined;
  intervalMs?: number | undefined;
}

/** Raw input before anything else sees it: `consume` keeps it from the rest, `data` replaces it. */
export type TerminalInputHandler = (
  data: string,
) => { consume?: boolean | undefined; data?: string | undefined } | undefined;

/** Wraps the completion there is. */
export type AutocompleteProviderFactory = (current: AutocompleteProvider) => AutocompleteProvider;

export type EditorFactory = (tui: TUI, theme: EditorTheme, keybindings: KeybindingsManager) => EditorComponent;

/** A component with something to end when it is replaced. */
export type DisposableComponent = Component & { dispose?(): void };

export type WidgetFactory = (tui: TUI, theme: Theme) => DisposableComponent;
/** A header that has `setExpanded` follows the folding of tool output. */
export type HeaderFactory = (tui: TUI, theme: Theme) => DisposableComponent & { setExpanded?(expanded: boolean): void };
export type FooterFactory = (tui: TUI, theme: Theme, footerData: ReadonlyFooterDataProvider) => DisposableComponent;

export interface ReadonlyFooterDataProvider {
  getGitBranch(): string | null;
  /** What `setStatus` was given, by key. */
  getExtensionStatuses(): ReadonlyMap<string, string>;
  getAvailableProviderCount(): number;
  onBranchChange(callback: () => void): () => void;
}

/** `done` closes it and is the answer; called before the component exists it closes it at once. */
export type CustomUIFactory<T> = (
  tui: TUI,
  theme: Theme,
  keybindings: KeybindingsManager,
  done: (result: T) => void,
) => DisposableComponent | Promise<DisposableComponent>;

export interface CustomUIOptions {
  /** Over the transcript instead of in place of the editor. */
  overlay?: boolean | undefined;
  overlayOptions?: OverlayOptions | (() => OverlayOptions) | undefined;
  onHandle?: ((handle: OverlayHandle) => void) | undefined;
  /** Told to terminals that show the state of programs. */
  blocked?: { kind: "permission" | "question" | "auth"; message: string } | undefined;
}

export interface SetThemeResult {
  success: boolean;
  error?: string | undefined;
}

/** Dialogs answer with their default (`undefined`, `false`) when cancelled, aborted, timed out, and without a user. */
export interface ExtensionUIContext {
  select(title: string, options: string[], dialog?: ExtensionUIDialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, dialog?: ExtensionUIDialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, dialog?: ExtensionUIDialogOptions): Promise<string | undefined>;
  editor(title: string, prefill?: string): Promise<string | undefined>;
  notify(message: string, type?: NotificationType): void;
  /** A text in the footer; undefined takes it away. */
  setStatus(key: string, text: string | undefined): void;
  /** Lines, or a component, beside the editor; undefined takes them away. */
  setWidget(key: string, content: string[] | WidgetFactory | undefined, options?: ExtensionWidgetOptions): void;
  setTitle(title: string): void;
  setEditorText(text: string): void;
  getEditorText(): string;
  pasteToEditor(text: string): void;
  /** A component of one's own, with the focus. `undefined` where there is no screen. */
  custom<T>(factory: CustomUIFactory<T>, options?: CustomUIOptions): Promise<T>;
  setFooter(factory: FooterFactory | undefined): void;
  setHeader(factory: HeaderFactory | undefined): void;
  setEditorComponent(factory: EditorFactory | undefined): void;
  getEditorComponent(): EditorFactory | undefined;
  addAutocompleteProvider(factory: AutocompleteProviderFactory): void;
  /** Returns a function that ends it. */
  onTerminalInput(handler: TerminalInputHandler): () => void;
  /** No text restores the usual one. */
  setWorkingMessage(message?: string): void;
  setWorkingVisible(visible: boolean): void;
  /** No options restore the usual one. */
  setWorkingIndicator(options?: WorkingIndicatorOptions): void;
  setHiddenThinkingLabel(label?: string): void;
  /** The one in use; in every mode. */
  readonly theme: Theme;
  getAllThemes(): { name: string; path?: string | undefined }[];
  getTheme(name: string): Theme | undefined;
  /** By name it is also saved in the settings. */
  setTheme(theme: string | Theme): SetThemeResult;
  getToolsExpanded(): boolean;
  setToolsExpanded(expanded: boolean): void;
}
