import type { ImageContent } from "@earendil-works/pi-ai";
import type { AgentSessionRuntime } from "../../../core/agent-session-runtime.js";
import { loadErrorLine } from "../../../core/extensions/loading/load-error.js";
import { VERSION } from "../../../version.js";
import { printLine } from "../../output.js";
import { resumeCommand } from "../../resume-command.js";
import { reportSessionDiagnostics } from "../../session-diagnostics.js";
import { catchStrayErrors } from "../../stray-errors.js";
import { harmless, harmlessOutput } from "../messages/plain-text.js";
import { LineReader } from "./line-reader.js";
import { type PlainDesk, plainCommands } from "./plain-commands.js";
import { plainEvents } from "./plain-events.js";
import { plainUI } from "./plain-ui.js";

export interface PlainModeOptions {
  initialMessage?: string | undefined;
  initialImages?: ImageContent[] | undefined;
  messages?: readonly string[] | undefined;
  notices?: readonly string[] | undefined;
  /** What has read what was typed so far. */
  lines?: LineReader | undefined;
}

/**
 * The interactive mode for screen readers: lines are appended and never changed, the terminal itself edits what is
 * typed, nothing is coloured.
 */
export class PlainMode implements PlainDesk {
  readonly #lines: LineReader;
  #unsubscribe = () => {};
  #isBound = false;

  constructor(
    readonly runtime: AgentSessionRuntime,
    private readonly options: PlainModeOptions = {},
  ) {
    this.#lines = options.lines ?? new LineReader();
  }

  /** Until the user leaves. */
  async run(): Promise<void> {
    const interrupt = () => this.#interrupt();
    process.on("SIGINT", interrupt);
    const stopCatching = catchStrayErrors(this.runtime, "interactive");
    this.runtime.setRebindSession(() => this.#bind());
    const bound = this.#bind();
    const { model } = this.runtime.session;
    this.print(`pi ${VERSION}. ${model ? `Model ${model.provider}/${model.id}.` : "No model can be used yet."}`);
    this.print("Type a prompt and press Enter. /help says the commands.");
    for (const notice of this.options.notices ?? []) this.print(notice);
    void bound.then(() => this.#begin());
    await this.#lines.takeAll((line) => void this.#take(line.trim()));
    process.off("SIGINT", interrupt);
    this.#unsubscribe();
    await this.runtime.dispose();
    stopCatching();
    const hint = resumeCommand(this.runtime.session.sessionManager);
    if (hint !== undefined) this.print(`To resume this session:\n${hint}`);
  }

  readonly print = printLine;

  quit(): void {
    this.#lines.close();
  }

  async #bind(): Promise<void> {
    const { session } = this.runtime;
    this.#unsubscribe();
    const stopEvents = session.subscribe(plainEvents(this.print));
    const stopReporting = reportSessionDiagnostics(session, ({ type, message }) =>
      this.print(`${type === "error" ? "Error" : "Warning"}: ${message}`),
    );
    this.#unsubscribe = () => {
      stopEvents();
      stopReporting();
    };
    if (!this.#isBound) {
      for (const error of session.resourceLoader.getExtensions().errors) this.#fail(new Error(loadErrorLine(error)));
    }
    this.#isBound = true;
    await session.bindExtensions({
      // As for programs: questions and messages, but no components.
      mode: "rpc",
      uiContext: plainUI({ print: this.print, nextLine: (signal) => this.#lines.nextLine(signal) }),
      commandContextActions: this.runtime.commandContextActions(),
      shutdownHandler: () => void session.waitForIdle().then(() => this.quit()),
      onError: ({ extensionPath, error }) => this.#fail(new Error(`Extension "${extensionPath}" error: ${error}`)),
    });
  }

  async #begin(): Promise<void> {
    const { initialMessage, initialImages, messages = [] } = this.options;
    if (initialMessage !== undefined) await this.#prompt(initialMessage, initialImages);
    for (const message of messages) await this.#prompt(message);
  }

  async #take(text: string): Promise<void> {
    if (text === "") return;
    const [, name, args = ""] = /^\/(\S+)\s*(.*)$/.exec(text) ?? [];
    const command = plainCommands.find((one) => one.name === name);
    try {
      if (command) await command.run(args.trim(), this);
      else if (text.startsWith("!")) await this.#bash(text);
      else await this.#prompt(text);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #prompt(text: string, images?: ImageContent[]): Promise<void> {
    try {
      await this.runtime.session.prompt(text, { streamingBehavior: "steer", images });
    } catch (error) {
      this.#fail(error);
    }
  }

  async #bash(text: string): Promise<void> {
    const excludeFromContext = text.startsWith("!!");
    const command = text.replace(/^!!?/, "").trim();
    if (command === "") return;
    const { output, exitCode, cancelled } = await this.runtime.session.executeBash(command, undefined, {
      excludeFromContext,
    });
    this.print(harmlessOutput(output).trimEnd());
    if (cancelled) this.print("(cancelled)");
    else if (exitCode) this.print(`(exit ${exitCode})`);
  }

  #interrupt(): void {
    const { session } = this.runtime;
    if (session.isBashRunning) session.abortBash();
    else if (session.isStreaming || session.isCompacting) void session.abort();
    else this.print("Nothing is running. /quit or Ctrl+D leaves.");
  }

  #fail(error: unknown): void {
    this.print(`Error: ${harmless(error instanceof Error ? error.message : String(error))}`);
  }
}
