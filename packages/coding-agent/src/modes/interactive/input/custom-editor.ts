import {
  Editor,
  type EditorOptions,
  type EditorTheme,
  type TUI,
  truncateToWidth,
  visibleWidth,
} from "@earendil-works/pi-tui";
import type { AppKeybinding, KeybindingsManager } from "../../../core/extensions/types/keybindings.js";

export interface CustomEditorOptions extends EditorOptions {
  /** Whether the editor shows what the agent does in its top border. Default true. */
  embedWorkingStatus?: boolean | undefined;
}

/** What a status in the border is drawn from. */
interface StatusSource {
  text(): string;
}

const LEFT = "── ";

/** The editor of prompts: the keys of the application come before those of the text. */
export class CustomEditor extends Editor {
  readonly actionHandlers = new Map<AppKeybinding, () => void>();
  onEscape?: () => void;
  onCtrlD?: () => void;
  onPasteImage?: () => void;
  /** True when a key of an extension was meant. */
  onExtensionShortcut?: (data: string) => boolean;
  readonly embedWorkingStatus: boolean;
  #status: StatusSource | undefined;

  constructor(
    tui: TUI,
    theme: EditorTheme,
    private readonly keybindings: KeybindingsManager,
    { embedWorkingStatus = true, ...options }: CustomEditorOptions = {},
  ) {
    super(tui, theme, options);
    this.embedWorkingStatus = embedWorkingStatus;
  }

  onAction(id: AppKeybinding, handler: () => void): void {
    this.actionHandlers.set(id, handler);
  }

  setWorkingStatusIndicator(status: StatusSource | undefined): void {
    this.#status = this.embedWorkingStatus ? status : undefined;
  }

  override handleInput(data: string): void {
    if (this.onExtensionShortcut?.(data)) return;
    const is = (id: Parameters<KeybindingsManager["matches"]>[1]) => this.keybindings.matches(data, id);
    if (this.isShowingAutocomplete() && (is("tui.select.pageUp") || is("tui.select.pageDown"))) {
      super.handleInput(data);
      return;
    }
    if (is("app.clipboard.pasteImage") && this.onPasteImage) {
      this.onPasteImage();
      return;
    }
    if (is("app.interrupt") && !this.isShowingAutocomplete()) {
      const handler = this.onEscape ?? this.actionHandlers.get("app.interrupt");
      if (handler) {
        handler();
        return;
      }
    }
    if (is("app.exit") && this.getText() === "") {
      const handler = this.onCtrlD ?? this.actionHandlers.get("app.exit");
      handler?.();
      return;
    }
    for (const [id, handler] of this.actionHandlers) {
      if (id === "app.interrupt" || id === "app.exit" || !is(id)) continue;
      handler();
      return;
    }
    super.handleInput(data);
  }

  protected override renderTopBorder(width: number, hidden: number): string {
    const status = this.#status?.text() ?? "";
    if (status === "") return super.renderTopBorder(width, hidden);
    const above = hidden > 0 ? ` ↑ ${hidden} more ` : "";
    const label = truncateToWidth(`${LEFT}${status} `, Math.max(1, width - visibleWidth(above)), "");
    const free = Math.max(0, width - visibleWidth(label) - visibleWidth(above));
    return this.borderColor(`${label}${above}${"─".repeat(free)}`);
  }
}
