import {
  type Component,
  type Focusable,
  getKeybindings,
  Input,
  type InputOptions,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { keyText, rawKeyHint } from "../keys/key-hints.js";
import type { DialogHost } from "../screen/dialog-host.js";
import { currentTheme } from "../theme/current.js";
import { chooseOption } from "./choose.js";

interface AskOptions {
  title: string | (() => string);
  placeholder?: string | undefined;
  value?: string | undefined;
  /** What is typed is not shown. */
  isSecret?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** One line of text, in place of the editor. */
export class Question implements Component, Focusable {
  readonly #input: Input;
  #focused = false;

  constructor(
    private readonly options: AskOptions,
    private readonly finish: (value: string | undefined) => void,
  ) {
    const placeholderStyle = (text: string) => currentTheme().fg("dim", text);
    const { placeholder, value } = options;
    const input: InputOptions = { ...(placeholder !== undefined && { placeholder, placeholderStyle }) };
    this.#input = new Input(input);
    if (value !== undefined) this.#input.setValue(value);
    this.#input.onSubmit = (text) => finish(text);
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(focused: boolean) {
    this.#focused = focused;
    this.#input.focused = focused;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const theme = currentTheme();
    const rule = theme.fg("border", "─".repeat(Math.max(1, width)));
    const given = this.options.title;
    const title = (typeof given === "string" ? given : given())
      .split("\n")
      .flatMap((line, at) =>
        wrapTextWithAnsi(at === 0 ? theme.style(line, { fg: "accent", bold: true }) : line, width),
      );
    const length = this.#input.getValue().length;
    const body =
      this.options.isSecret && length > 0
        ? [`> ${"•".repeat(Math.min(length, Math.max(1, width - 3)))}`]
        : this.#input.render(width);
    const hints = ` ${rawKeyHint(keyText("tui.select.confirm"), "submit")}  ${rawKeyHint(keyText("tui.select.cancel"), "cancel")}`;
    return [rule, ...title, ...body, ...wrapTextWithAnsi(hints, width), rule];
  }

  handleInput(data: string): void {
    if (getKeybindings().matches(data, "tui.select.cancel")) this.finish(undefined);
    else this.#input.handleInput(data);
  }
}

/** Asks for a line of text; undefined when the user does not want to answer. */
export function ask(slot: DialogHost, options: AskOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (value: string | undefined) => {
      close();
      options.signal?.removeEventListener("abort", cancel);
      resolve(value);
    };
    const cancel = () => finish(undefined);
    const close = slot.open(new Question(options, finish));
    if (options.signal?.aborted) cancel();
    else options.signal?.addEventListener("abort", cancel, { once: true });
  });
}

/** A question with yes and no; not answered is a no. */
export async function confirm(
  slot: DialogHost,
  title: string,
  message: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const options = [
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ];
  return (await chooseOption(slot, message === "" ? title : `${title}\n${message}`, options, { signal })) === "yes";
}
