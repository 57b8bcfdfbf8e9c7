import { Container, Loader, Spacer, Text, type TUI } from "@earendil-works/pi-tui";
import type { ThemeColor } from "../../../core/themes/tokens.js";
import { keyText } from "../keys/key-hints.js";
import { Drawn } from "../screen/drawn.js";
import { DynamicBorder } from "../screen/dynamic-border.js";
import { currentTheme } from "../theme/current.js";
import { truncateToVisualLines } from "../tools/visual-lines.js";
import { harmlessOutput, unhidden } from "./plain-text.js";

const MAX_ROWS = 20;
/** More than this is never shown of a command that runs: the file has all of it. */
const MAX_KEPT = 256 * 1024;

/** A command that the user ran with `!`. */
export class BashExecutionComponent extends Container {
  #output = "";
  #expanded = false;
  #end: { exitCode: number | undefined; cancelled: boolean; truncated: boolean; path: string | undefined } | undefined;
  readonly #loader: Loader;
  readonly #body: Drawn;

  constructor(
    private readonly command: string,
    tui: TUI,
    private readonly excludeFromContext = false,
    private outputPad = 1,
  ) {
    super();
    const rule = () => new DynamicBorder((text) => currentTheme().fg(this.#color, text));
    this.#body = new Drawn((width) => this.#draw(width));
    const fg = (token: ThemeColor) => (text: string) => currentTheme().fg(token, text);
    const message = `Running... (${keyText("tui.select.cancel")} to cancel)`;
    this.#loader = new Loader(tui, fg(this.#color), fg("muted"), message);
    this.addChild(new Spacer(1));
    this.addChild(rule());
    this.addChild(this.#body);
    this.addChild(this.#loader);
    this.addChild(rule());
  }

  get #color(): ThemeColor {
    return this.excludeFromContext ? "dim" : "bashMode";
  }

  appendOutput(text: string): void {
    this.#output = (this.#output + text).slice(-MAX_KEPT);
    this.#body.invalidate();
  }

  setComplete(
    exitCode: number | undefined,
    cancelled: boolean,
    truncation?: { truncated: boolean },
    path?: string,
  ): void {
    this.#end = { exitCode, cancelled, truncated: truncation?.truncated ?? false, path };
    this.#loader.stop();
    this.removeChild(this.#loader);
    this.#body.invalidate();
  }

  getOutput(): string {
    return this.#output;
  }

  getCommand(): string {
    return this.command;
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.#body.invalidate();
  }

  setOutputPad(pad: number): void {
    this.outputPad = pad;
    this.#body.invalidate();
  }

  dispose(): void {
    this.#loader.stop();
  }

  #draw(width: number): string[] {
    const theme = currentTheme();
    const lines: string[] = [];
    const add = (text: string) => lines.push(...new Text(text, this.outputPad, 0).render(width));
    add(theme.fg(this.#color, theme.bold(`$ ${unhidden(this.command)}`)));
    const output = harmlessOutput(this.#output).trimEnd();
    const shown =
      output === "" ? "" : theme.fg("muted", output).replaceAll("\n", `\x1b[39m\n${theme.getFgAnsi("muted")}`);
    const max = this.#expanded ? Number.POSITIVE_INFINITY : MAX_ROWS;
    const { visualLines, skippedCount } = truncateToVisualLines(shown, max, width, this.outputPad);
    lines.push(...visualLines);
    for (const note of this.#notes(skippedCount)) add(note);
    return lines;
  }

  #notes(hidden: number): string[] {
    const theme = currentTheme();
    const notes: string[] = [];
    if (hidden > 0) {
      notes.push(theme.fg("muted", `... ${hidden} more lines (${keyText("app.tools.expand")} to expand)`));
    }
    if (!this.#end) return notes;
    const { cancelled, exitCode, truncated, path } = this.#end;
    if (cancelled) notes.push(theme.fg("warning", "(cancelled)"));
    else if (exitCode) notes.push(theme.fg("error", `(exit ${exitCode})`));
    if (truncated && path !== undefined) {
      notes.push(theme.fg("warning", `Output truncated. Full output: ${path}`));
    }
    return notes;
  }
}
