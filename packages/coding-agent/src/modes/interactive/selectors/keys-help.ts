import { type Component, Markdown, type TUI } from "@earendil-works/pi-tui";
import type { EditorSlot } from "../screen/editor-slot.js";
import { getMarkdownTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";

/** All keys, until the next one. A letter was meant for the editor, and gets there. */
export function openKeysHelp(markdown: string, slot: EditorSlot, tui: TUI, typed: (text: string) => void): void {
  const help = new KeysHelp(markdown, tui, (data) => {
    close();
    if (/^\P{Cc}+$/u.test(data)) typed(`?${data}`);
  });
  const close = slot.open(help);
}

const PAGE = 4;

class KeysHelp implements Component {
  readonly #markdown: Markdown;
  #top = 0;
  #last = 0;

  constructor(
    markdown: string,
    private readonly tui: TUI,
    private readonly leave: (data: string) => void,
  ) {
    this.#markdown = new Markdown(markdown, 1, 0, getMarkdownTheme());
  }

  invalidate(): void {
    this.#markdown.invalidate();
  }

  render(width: number): readonly string[] {
    const theme = currentTheme();
    const rule = theme.fg("border", "─".repeat(Math.max(1, width)));
    const lines = this.#markdown.render(width);
    const room = Math.max(3, this.tui.terminal.rows - PAGE - 4);
    this.#last = Math.max(0, lines.length - room);
    this.#top = Math.min(this.#top, this.#last);
    const title = theme.style("Keys", { fg: "accent", bold: true });
    const hint = theme.fg("dim", " ↑↓ scroll, any other key closes");
    return [rule, title, ...lines.slice(this.#top, this.#top + room), hint, rule];
  }

  handleInput(data: string): void {
    if (data === "\x1b[A" || data === "\x1bOA") this.#top = Math.max(0, this.#top - 1);
    else if (data === "\x1b[B" || data === "\x1bOB") this.#top = Math.min(this.#last, this.#top + 1);
    else this.leave(data);
  }
}
