import type { TUI } from "@earendil-works/pi-tui";
import type { AgentSession } from "../../core/agent-session.js";
import type { AgentSessionRuntime } from "../../core/agent-session-runtime.js";
import type { DisplaySettings } from "./display.js";
import type { PromptEditor } from "./input/prompt-editor.js";
import type { AppKeybindings } from "./keys/keybindings-file.js";
import type { ChatLook } from "./messages/lazy-message.js";
import type { Transcript } from "./messages/transcript.js";
import type { EditorSlot } from "./screen/editor-slot.js";
import type { TerminalScreen } from "./screen/terminal-screen.js";
import type { ThemeLoader } from "./theme/theme-loader.js";

/** What commands, selectors and input find on the desk of the interactive mode. */
export interface Desk {
  readonly runtime: AgentSessionRuntime;
  /** The session of the moment. */
  readonly session: AgentSession;
  readonly screen: TerminalScreen;
  readonly tui: TUI;
  readonly slot: EditorSlot;
  readonly editor: PromptEditor;
  readonly transcript: Transcript;
  readonly themes: ThemeLoader;
  readonly keybindings: AppKeybindings;
  readonly display: DisplaySettings;
  readonly look: ChatLook;
  /** A dim line that the next one takes the place of. */
  status(text: string): void;
  error(text: string): void;
  warning(text: string): void;
  /** Draws the conversation of the session anew: another branch, another session, a summary. */
  showSession(): void;
  /** Something that the footer, the title or the editor's border show has changed. */
  changed(): void;
  /** Settings that affect display have changed. */
  applyDisplay(): void;
  /** Reads keys, themes and resources again. */
  reload(): Promise<void>;
  /** Ends the mode. */
  quit(): void;
}

/** The text of an error for a line of the chat. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
