/** A sign-in at the terminal: questions on stderr, answers from stdin. */
import { createInterface, type Interface } from "node:readline/promises";
import type { AuthEvent, AuthInteraction, AuthPrompt } from "@earendil-works/pi-ai";
import { openBrowser } from "../core/process/open-browser.js";
import { dialogueOutput, printError } from "../modes/output.js";

export class TerminalInteraction implements AuthInteraction {
  readonly #controller = new AbortController();
  readonly #readline: Interface;
  readonly #openBrowser: boolean;
  #isSecret = false;

  constructor(options: { openBrowser: boolean }) {
    this.#openBrowser = options.openBrowser;
    const output = dialogueOutput(() => this.#isSecret);
    this.#readline = createInterface({ input: process.stdin, output, terminal: true });
    this.#readline.on("SIGINT", () => this.#controller.abort());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async prompt(prompt: AuthPrompt): Promise<string> {
    const signal = prompt.signal ? AbortSignal.any([prompt.signal, this.signal]) : this.signal;
    if (prompt.type === "select") {
      for (const [index, { label, description }] of prompt.options.entries()) {
        printError(`  ${index + 1}. ${label}${description ? ` (${description})` : ""}`);
      }
      const answer = Number(await this.#ask(`${prompt.message} [1] `, signal, false)) || 1;
      return (prompt.options[answer - 1] ?? prompt.options[0])?.id ?? "";
    }
    const hint = prompt.placeholder ? ` (${prompt.placeholder})` : "";
    return this.#ask(`${prompt.message}${hint} `, signal, prompt.type === "secret");
  }

  notify(event: AuthEvent): void {
    switch (event.type) {
      case "auth_url":
        printError(`${event.instructions ?? "Open this address to sign in:"}\n\n  ${event.url}\n`);
        if (this.#openBrowser) openBrowser(event.url);
        return;
      case "device_code":
        printError(`Open ${event.verificationUri} and enter the code ${event.userCode}`);
        if (this.#openBrowser) openBrowser(event.verificationUri);
        return;
      case "info":
        printError([event.message, ...(event.links ?? []).map(({ url }) => `  ${url}`)].join("\n"));
        return;
      case "progress":
        printError(event.message);
    }
  }

  close(): void {
    this.#readline.close();
  }

  async #ask(question: string, signal: AbortSignal, isSecret: boolean): Promise<string> {
    const answer = this.#readline.question(question, { signal });
    this.#isSecret = isSecret;
    try {
      return await answer;
    } catch (error) {
      if (this.signal.aborted) throw new Error("Sign-in was cancelled");
      throw error;
    } finally {
      if (isSecret) printError("");
      this.#isSecret = false;
    }
  }
}
