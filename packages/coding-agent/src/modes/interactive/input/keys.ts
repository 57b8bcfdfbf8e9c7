import type { AppKeybinding } from "../../../core/extensions/types/keybindings.js";
import { type Desk, errorText } from "../desk.js";
import type { BashMode } from "./bash-mode.js";
import type { EditorActions } from "./prompt-editor.js";
import type { Prompts } from "./prompts.js";

/** Two presses within so many ms are one wish. */
const DOUBLE_MS = 500;

export interface KeyTargets {
  prompts: Prompts;
  bash: BashMode;
  /** Runs a command as if it had been typed. */
  command(text: string): void;
  submit(text: string, behavior: "steer" | "followUp"): void;
  suspend(): void;
  pasteImage(): void;
  externalEditor(): void;
  showKeys(): void;
  /** True when the key is one of an extension. */
  shortcut(data: string): boolean;
}

/** What the keys of the application do while the editor has the focus. Source: tui.md sections B4 and B9. */
export function editorActions(desk: Desk, targets: KeyTargets): EditorActions {
  const twice = new DoublePress();
  const run = (work: () => Promise<unknown> | unknown) => {
    void Promise.resolve()
      .then(work)
      .catch((error: unknown) => desk.error(errorText(error)));
  };
  const handlers = new Map<AppKeybinding, () => void>([
    ["app.clear", () => (twice.press("clear") ? desk.quit() : desk.editor.setText(""))],
    ["app.suspend", () => targets.suspend()],
    ["app.thinking.cycle", () => run(() => cycleThinking(desk))],
    ["app.thinking.toggle", () => toggleThinking(desk)],
    ["app.model.cycleForward", () => run(() => cycleModel(desk, "forward"))],
    ["app.model.cycleBackward", () => run(() => cycleModel(desk, "backward"))],
    ["app.model.select", () => targets.command("/model")],
    ["app.tools.expand", () => toggleExpanded(desk)],
    ["app.editor.external", () => targets.externalEditor()],
    ["app.message.copy", () => targets.command("/copy")],
    ["app.message.dequeue", () => targets.prompts.dequeue()],
    [
      "app.message.followUp",
      () => {
        const text = desk.editor.wholeText.trim();
        if (text === "") return;
        desk.editor.setText("");
        targets.submit(text, "followUp");
      },
    ],
    ["app.session.new", () => targets.command("/new")],
    ["app.session.tree", () => targets.command("/tree")],
    ["app.session.fork", () => targets.command("/fork")],
    ["app.session.resume", () => targets.command("/resume")],
  ]);
  return {
    submit: (text) => targets.submit(text, "steer"),
    change: (text) => {
      if (text !== "?") return;
      desk.editor.setText("");
      targets.showKeys();
    },
    escape: () => pressEscape(desk, targets, twice),
    exit: () => desk.quit(),
    pasteImage: () => targets.pasteImage(),
    shortcut: (data) => targets.shortcut(data),
    handlers,
  };
}

/** What Escape means depends on what is going on. */
function pressEscape(desk: Desk, { prompts, bash, command }: KeyTargets, twice: DoublePress): void {
  const { session, editor } = desk;
  if (session.isRetrying) session.abortRetry();
  else if (session.isCompacting) session.abortCompaction();
  else if (session.isStreaming) {
    prompts.takeBack();
    void session.abort();
  } else if (bash.isRunning) bash.cancel();
  else if (editor.text.startsWith("!")) editor.setText("");
  else if (editor.text === "" && twice.press("escape")) {
    const action = session.settingsManager.getDoubleEscapeAction();
    if (action !== "none") command(`/${action}`);
  }
}

class DoublePress {
  #last = { key: "", at: Number.NEGATIVE_INFINITY };

  /** True for the second press of a key in a short time. */
  press(key: string): boolean {
    const now = performance.now();
    const isSecond = this.#last.key === key && now - this.#last.at < DOUBLE_MS;
    this.#last = { key, at: isSecond ? Number.NEGATIVE_INFINITY : now };
    return isSecond;
  }
}

function cycleThinking(desk: Desk): void {
  const level = desk.session.cycleThinkingLevel();
  desk.status(level === undefined ? "Current model does not support thinking" : `Thinking level: ${level}`);
  desk.changed();
}

function toggleThinking(desk: Desk): void {
  const hideThinking = !desk.look.hideThinking;
  desk.session.settingsManager.setHideThinkingBlock(hideThinking);
  desk.transcript.apply({ hideThinking });
  desk.status(`Thinking blocks: ${hideThinking ? "hidden" : "visible"}`);
  desk.tui.requestRender();
}

async function cycleModel(desk: Desk, direction: "forward" | "backward"): Promise<void> {
  const result = await desk.session.cycleModel(direction);
  if (!result) {
    const isScoped = desk.session.scopedModels.length > 0;
    desk.status(isScoped ? "Only one model in scope" : "Only one model available");
  } else {
    const level = result.model.reasoning ? ` (thinking: ${result.thinkingLevel})` : "";
    desk.status(`Switched to ${result.model.name || result.model.id}${level}`);
  }
  desk.changed();
}

function toggleExpanded(desk: Desk): void {
  const expanded = !desk.look.expanded;
  setExpanded(desk, expanded);
  desk.status(`Tool output: ${expanded ? "expanded" : "collapsed"}`);
}

/** Unfolds or folds tools, summaries, the header and what was loaded. */
export function setExpanded(desk: Desk, expanded: boolean): void {
  desk.transcript.apply({ expanded });
  for (const part of [...desk.screen.layout.header.children, ...desk.screen.layout.resources.children]) {
    (part as { setExpanded?: (expanded: boolean) => void }).setExpanded?.(expanded);
  }
  desk.tui.requestRender();
}
