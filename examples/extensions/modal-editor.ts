/**
 * An editor with two modes, as in vi: escape leaves inserting; h j k l w b 0 $ move, x dd delete, i a o insert again.
 * Start: `pi -e modal-editor.ts`. In the second mode escape is the usual one; `/modal` switches back and forth.
 */
import { CustomEditor, type EditorFactory, type ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { matchesKey, truncateToWidth } from "@earendil-works/pi-tui";

const keys = { left: "\x1b[D", right: "\x1b[C", up: "\x1b[A", down: "\x1b[B", home: "\x01", end: "\x05" };
/** What a key of the second mode means to the editor below. */
const moves: Record<string, string[]> = {
  ...{ h: [keys.left], l: [keys.right], k: [keys.up], j: [keys.down] },
  // The editor's own move goes to the end of a word.
  ...{ "0": [keys.home], $: [keys.end], w: ["\x1bf", keys.right], b: ["\x1bb"], x: ["\x1b[3~"] },
};

class ModalEditor extends CustomEditor {
  #isInserting = true;
  /** The `d` of `dd`, until the second one comes. */
  #pending = "";

  override handleInput(data: string): void {
    if (this.#isInserting) {
      if (matchesKey(data, "escape") && !this.isShowingAutocomplete()) this.#isInserting = false;
      else super.handleInput(data);
      return;
    }
    const command = this.#pending + data;
    this.#pending = "";
    if (data in moves) for (const key of moves[data] ?? []) super.handleInput(key);
    else if (command === "d") this.#pending = command;
    else if (command === "dd") this.#deleteLine();
    else if (data === "i" || data === "a" || data === "o") this.#insert(data);
    // Letters do nothing here; keys of the program work as ever.
    else if (data.length > 1 || data < " ") super.handleInput(data);
  }

  protected override renderBottomBorder(width: number, hidden: number): string {
    const mode = this.#isInserting ? "─ insert " : "─ normal ";
    return (
      this.borderColor(truncateToWidth(mode, width, "")) +
      super.renderBottomBorder(Math.max(0, width - mode.length), hidden)
    );
  }

  #insert(how: "i" | "a" | "o"): void {
    this.#isInserting = true;
    if (how === "a") super.handleInput(keys.right);
    if (how !== "o") return;
    super.handleInput(keys.end);
    this.insertTextAtCursor("\n");
  }

  #deleteLine(): void {
    const { line } = this.getCursor();
    this.setText(
      this.getLines()
        .filter((_, at) => at !== line)
        .join("\n"),
    );
  }
}

export default function modalEditor(pi: ExtensionAPI) {
  const modal: EditorFactory = (tui, theme, keybindings) => new ModalEditor(tui, theme, keybindings);
  /** What another extension had put there. */
  let before: EditorFactory | undefined;

  pi.on("session_start", (_event, ctx) => {
    before = ctx.ui.getEditorComponent();
    ctx.ui.setEditorComponent(modal);
  });
  pi.registerCommand("modal", {
    description: "The modal editor, or the usual one",
    handler: async (_args, ctx) => ctx.ui.setEditorComponent(ctx.ui.getEditorComponent() === modal ? before : modal),
  });
}
