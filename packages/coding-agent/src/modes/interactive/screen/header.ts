import { Text } from "@earendil-works/pi-tui";
import { VERSION } from "../../../version.js";
import { keyText, rawKeyHint } from "../keys/key-hints.js";
import { currentTheme } from "../theme/current.js";
import { Drawn } from "./drawn.js";

const LOGO = ["▀▀█ ", "█▀ █"] as const;

/** Logo, version and the keys one needs first; all of them when expanded. */
export class Header extends Drawn {
  #expanded = false;

  constructor(quiet: boolean | "header", outputPad: number) {
    super((width) => (quiet === true ? [] : this.#draw(width, quiet === "header", outputPad)));
  }

  setExpanded(expanded: boolean): void {
    this.#expanded = expanded;
    this.invalidate();
  }

  #draw(width: number, brief: boolean, outputPad: number): readonly string[] {
    const theme = currentTheme();
    const hints = brief ? "" : (this.#expanded ? longHints() : shortHints()).join(theme.fg("dim", " · "));
    const first = ` ${theme.fg("accent", LOGO[0])} ${theme.fg("dim", `v${VERSION}`)}`;
    const head = ` ${theme.fg("accent", LOGO[1])} ${this.#expanded ? "" : hints}`;
    const lines = [...new Text(first, 0, 0).render(width), ...new Text(head, 0, 0).render(width)];
    if (!this.#expanded) return lines;
    return [...lines, "", ...new Text(longHints().join("\n"), outputPad, 0).render(width)];
  }
}

function shortHints(): string[] {
  return [
    rawKeyHint(keyText("app.interrupt"), "interrupt"),
    rawKeyHint(`${keyText("app.clear")}/${keyText("app.exit")}`, "clear/exit"),
    rawKeyHint("/", "commands"),
    rawKeyHint("!", "bash"),
    rawKeyHint(keyText("app.tools.expand"), "more"),
  ];
}

function longHints(): string[] {
  return [
    ...shortHints().slice(0, 3),
    rawKeyHint("!", "run a command, !! without telling the model"),
    rawKeyHint("@", "name files"),
    rawKeyHint("?", "all keys"),
    rawKeyHint(keyText("app.thinking.cycle"), "thinking level"),
    rawKeyHint(keyText("app.thinking.toggle"), "show thinking"),
    rawKeyHint(keyText("app.model.select"), "choose a model"),
    rawKeyHint(`${keyText("app.model.cycleForward")}/${keyText("app.model.cycleBackward")}`, "next or previous model"),
    rawKeyHint(keyText("app.message.followUp"), "send when the agent is done"),
    rawKeyHint(keyText("app.message.dequeue"), "edit queued messages"),
    rawKeyHint(keyText("app.editor.external"), "edit in your own editor"),
    rawKeyHint(keyText("app.clipboard.pasteImage"), "paste an image"),
    rawKeyHint(keyText("app.suspend"), "suspend"),
    rawKeyHint(keyText("app.tools.expand"), "less"),
  ];
}
