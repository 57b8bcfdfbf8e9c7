/** Actions of the interactive mode that have keys. Source: tui.md B9. */
import type {
  Keybinding,
  KeybindingsConfig,
  KeybindingsManager as TuiKeybindingsManager,
} from "@earendil-works/pi-tui";

export type AppKeybinding =
  | ("app.interrupt" | "app.clear" | "app.exit" | "app.suspend")
  | ("app.thinking.cycle" | "app.thinking.save" | "app.thinking.toggle")
  | ("app.model.cycleForward" | "app.model.cycleBackward" | "app.model.select")
  | ("app.tools.expand" | "app.editor.external" | "app.clipboard.pasteImage")
  | ("app.message.copy" | "app.message.followUp" | "app.message.dequeue")
  | ("app.session.togglePath" | "app.session.toggleSort" | "app.session.toggleNamedFilter" | "app.session.rename")
  | ("app.session.delete" | "app.session.deleteNoninvasive")
  | ("app.session.new" | "app.session.tree" | "app.session.fork" | "app.session.resume")
  | ("app.models.save" | "app.models.enableAll" | "app.models.clearAll" | "app.models.toggleProvider")
  | ("app.models.reorderUp" | "app.models.reorderDown")
  | ("app.tree.foldOrUp" | "app.tree.unfoldOrDown" | "app.tree.editLabel" | "app.tree.toggleLabelTimestamp")
  | ("app.tree.filter.default" | "app.tree.filter.noTools" | "app.tree.filter.userOnly")
  | ("app.tree.filter.labeledOnly" | "app.tree.filter.all")
  | ("app.tree.filter.cycleForward" | "app.tree.filter.cycleBackward");

declare module "@earendil-works/pi-tui" {
  interface Keybindings extends Record<AppKeybinding, true> {}
}

/** The keys of the terminal library together with those of the agent. */
export interface KeybindingsManager extends TuiKeybindingsManager {
  /** Reads the user's file again. */
  reload(): void;
  getEffectiveConfig(): KeybindingsConfig;
}

/** Keys as the user sees them: `ctrl+o`, or what they chose instead. */
export interface KeybindingHints {
  keyText(id: Keybinding): string;
  /** The key and what it does, in the colours of hints. */
  keyHint(id: Keybinding, description: string): string;
}
