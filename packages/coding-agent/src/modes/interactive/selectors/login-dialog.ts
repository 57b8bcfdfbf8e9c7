import type { AuthEvent, AuthInteraction, AuthPrompt } from "@earendil-works/pi-ai";
import {
  type Component,
  getCapabilities,
  getKeybindings,
  hyperlink,
  type TUI,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { openBrowser } from "../../../core/process/open-browser.js";
import { copyToClipboard } from "../input/clipboard.js";
import { keyText, rawKeyHint } from "../keys/key-hints.js";
import { harmless } from "../messages/plain-text.js";
import type { DialogHost } from "../screen/dialog-host.js";
import { currentTheme } from "../theme/current.js";
import { ask } from "./ask.js";
import { chooseOption } from "./choose.js";

/** A sign-in in place of the editor: where to go, which code to enter, what is asked. */
export class LoginDialog implements Component, AuthInteraction {
  readonly #abort = new AbortController();
  #lines: string[] = [];
  #url: string | undefined;
  #note = "";
  readonly #close: () => void;

  constructor(
    private readonly title: string,
    private readonly slot: DialogHost,
    private readonly tui: TUI,
  ) {
    this.#close = slot.open(this);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  close(): void {
    this.#close();
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    const theme = currentTheme();
    const rule = theme.fg("border", "─".repeat(Math.max(1, width)));
    const link = this.#url === undefined ? [] : this.#urlLines(this.#url, width);
    const body = this.#lines.flatMap((line) => wrapTextWithAnsi(line, width));
    const note = this.#note === "" ? [] : [theme.fg("muted", this.#note)];
    const hints = [
      ...(this.#url === undefined ? [] : [rawKeyHint(keyText("app.message.copy"), "copy address")]),
      rawKeyHint(keyText("tui.select.cancel"), "cancel"),
    ].join("  ");
    const title = theme.style(this.title, { fg: "accent", bold: true });
    return [rule, title, ...link, ...body, ...note, ` ${hints}`, rule].flatMap((line) => wrapTextWithAnsi(line, width));
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.#abort.abort();
    else if (keys.matches(data, "app.message.copy") && this.#url !== undefined) {
      void copyToClipboard(this.#url, this.tui).then(() => this.#say("Address copied"));
    }
  }

  async prompt(prompt: AuthPrompt): Promise<string> {
    const signal = prompt.signal ? AbortSignal.any([prompt.signal, this.signal]) : this.signal;
    const answer =
      prompt.type === "select"
        ? await chooseOption(
            this.slot,
            prompt.message,
            prompt.options.map(({ id, label, description }) => ({ value: id, label, description })),
            { signal },
          )
        : await ask(this.slot, {
            title: this.#url === undefined ? prompt.message : `${prompt.message}\n${this.#url}`,
            placeholder: prompt.placeholder,
            isSecret: prompt.type === "secret",
            signal,
          });
    if (answer !== undefined) return answer;
    if (!prompt.signal?.aborted) this.#abort.abort();
    throw new Error("Sign-in was cancelled");
  }

  notify(event: AuthEvent): void {
    switch (event.type) {
      case "auth_url":
        this.#url = event.url;
        this.#lines = [event.instructions ?? "Open this address to sign in."];
        openBrowser(event.url);
        break;
      case "device_code":
        this.#url = event.verificationUri;
        this.#lines = [`Enter this code there: ${currentTheme().bold(event.userCode)}`];
        openBrowser(event.verificationUri);
        break;
      case "info":
        this.#lines = [harmless(event.message), ...(event.links ?? []).map(({ url }) => `  ${url}`)];
        break;
      case "progress":
        this.#note = harmless(event.message);
    }
    this.tui.requestRender();
  }

  #say(text: string): void {
    this.#note = text;
    this.tui.requestRender();
  }

  /** Whole, however long it is: half an address is none. */
  #urlLines(url: string, width: number): string[] {
    const shown = currentTheme().fg("mdLink", url);
    return wrapTextWithAnsi(getCapabilities().hyperlinks ? hyperlink(shown, url) : shown, width);
  }
}
