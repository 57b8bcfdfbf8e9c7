/** The actions of the interactive mode and their keys. Source: tui.md section B9. */
import type { KeybindingDefinition, KeybindingDefinitions } from "@earendil-works/pi-tui";
import type { AppKeybinding } from "../../../core/extensions/types/keybindings.js";

const windows = process.platform === "win32";
const onWindows = windows || (process.platform === "linux" && Boolean(process.env["WSL_DISTRO_NAME"]));

export const APP_KEYBINDINGS: KeybindingDefinitions = {
  "app.interrupt": { defaultKeys: "escape", description: "Stop what is running" },
  "app.clear": { defaultKeys: "ctrl+c", description: "Clear the editor; twice: exit" },
  "app.exit": { defaultKeys: "ctrl+d", description: "Exit, when the editor is empty" },
  "app.suspend": { defaultKeys: windows ? [] : "ctrl+z", description: "Suspend to the shell" },
  "app.thinking.cycle": { defaultKeys: "shift+tab", description: "Next thinking level" },
  "app.thinking.save": { defaultKeys: "ctrl+s", description: "Make the thinking level the default" },
  "app.thinking.toggle": { defaultKeys: "ctrl+t", description: "Show or hide thinking" },
  "app.model.cycleForward": { defaultKeys: "ctrl+p", description: "Next model" },
  "app.model.cycleBackward": { defaultKeys: onWindows ? "alt+p" : "shift+ctrl+p", description: "Previous model" },
  "app.model.select": { defaultKeys: "ctrl+l", description: "Choose a model" },
  "app.tools.expand": { defaultKeys: "ctrl+o", description: "Show more or less of tool output" },
  "app.editor.external": { defaultKeys: "ctrl+g", description: "Edit in your own editor" },
  "app.message.copy": { defaultKeys: "ctrl+x", description: "Copy the last answer" },
  "app.message.followUp": {
    defaultKeys: onWindows ? "ctrl+q" : "alt+enter",
    description: "Send when the agent is done",
  },
  "app.message.dequeue": { defaultKeys: onWindows ? "alt+q" : "alt+up", description: "Edit queued messages" },
  "app.clipboard.pasteImage": {
    defaultKeys: onWindows ? ["alt+v", "ctrl+v"] : "ctrl+v",
    description: "Paste an image",
  },
  "app.session.togglePath": { defaultKeys: "ctrl+p", description: "Sessions: show paths" },
  "app.session.toggleSort": { defaultKeys: "ctrl+s", description: "Sessions: other order" },
  "app.session.toggleNamedFilter": { defaultKeys: "ctrl+n", description: "Sessions: only named ones" },
  "app.session.rename": { defaultKeys: "ctrl+r", description: "Sessions: rename" },
  "app.session.delete": { defaultKeys: "ctrl+d", description: "Sessions: delete" },
  "app.session.deleteNoninvasive": {
    defaultKeys: "ctrl+backspace",
    description: "Sessions: delete, with an empty search",
  },
  "app.session.new": { defaultKeys: [], description: "New session" },
  "app.session.tree": { defaultKeys: [], description: "Session tree" },
  "app.session.fork": { defaultKeys: [], description: "Fork the session" },
  "app.session.resume": { defaultKeys: [], description: "Resume a session" },
  "app.models.save": { defaultKeys: "ctrl+s", description: "Models: save the selection" },
  "app.models.enableAll": { defaultKeys: "ctrl+a", description: "Models: all" },
  "app.models.clearAll": { defaultKeys: "ctrl+x", description: "Models: none" },
  "app.models.toggleProvider": { defaultKeys: "ctrl+p", description: "Models: a whole provider" },
  "app.models.reorderUp": { defaultKeys: "alt+up", description: "Models: earlier" },
  "app.models.reorderDown": { defaultKeys: "alt+down", description: "Models: later" },
  "app.tree.foldOrUp": {
    defaultKeys: ["ctrl+left", "alt+left"],
    description: "Tree: fold, or go to the start of the branch",
  },
  "app.tree.unfoldOrDown": { defaultKeys: ["ctrl+right", "alt+right"], description: "Tree: unfold, or go to its end" },
  "app.tree.editLabel": { defaultKeys: "shift+l", description: "Tree: label" },
  "app.tree.toggleLabelTimestamp": { defaultKeys: "shift+t", description: "Tree: times of labels" },
  "app.tree.filter.default": { defaultKeys: "ctrl+d", description: "Tree: usual entries" },
  "app.tree.filter.noTools": { defaultKeys: "ctrl+t", description: "Tree: without tools" },
  "app.tree.filter.userOnly": { defaultKeys: "ctrl+u", description: "Tree: your messages" },
  "app.tree.filter.labeledOnly": { defaultKeys: "ctrl+l", description: "Tree: labelled entries" },
  "app.tree.filter.all": { defaultKeys: "ctrl+a", description: "Tree: everything" },
  "app.tree.filter.cycleForward": { defaultKeys: "ctrl+o", description: "Tree: next filter" },
  "app.tree.filter.cycleBackward": { defaultKeys: "shift+ctrl+o", description: "Tree: previous filter" },
} satisfies Record<AppKeybinding, KeybindingDefinition>;

const renamed: Record<string, string> = {
  ...Object.fromEntries(["newLine", "submit", "tab", "copy"].map((name) => [name, `tui.input.${name}`])),
  selectUp: "tui.select.up",
  selectDown: "tui.select.down",
  selectPageUp: "tui.select.pageUp",
  selectPageDown: "tui.select.pageDown",
  selectConfirm: "tui.select.confirm",
  selectCancel: "tui.select.cancel",
  ...Object.fromEntries(["interrupt", "clear", "exit", "suspend"].map((name) => [name, `app.${name}`])),
  cycleThinkingLevel: "app.thinking.cycle",
  toggleThinking: "app.thinking.toggle",
  cycleModelForward: "app.model.cycleForward",
  cycleModelBackward: "app.model.cycleBackward",
  selectModel: "app.model.select",
  expandTools: "app.tools.expand",
  externalEditor: "app.editor.external",
  followUp: "app.message.followUp",
  dequeue: "app.message.dequeue",
  pasteImage: "app.clipboard.pasteImage",
  newSession: "app.session.new",
  tree: "app.session.tree",
  fork: "app.session.fork",
  resume: "app.session.resume",
  toggleSessionNamedFilter: "app.session.toggleNamedFilter",
  toggleSessionPath: "app.session.togglePath",
  toggleSessionSort: "app.session.toggleSort",
  renameSession: "app.session.rename",
  deleteSession: "app.session.delete",
  deleteSessionNoninvasive: "app.session.deleteNoninvasive",
  treeFoldOrUp: "app.tree.foldOrUp",
  treeUnfoldOrDown: "app.tree.unfoldOrDown",
  treeEditLabel: "app.tree.editLabel",
  treeToggleLabelTimestamp: "app.tree.toggleLabelTimestamp",
};

/** The name that an action has now, for one of before there were namespaces. */
export function currentActionName(name: string, known: (id: string) => boolean): string | undefined {
  if (known(name)) return name;
  const id = renamed[name] ?? `tui.editor.${name}`;
  return known(id) ? id : undefined;
}
