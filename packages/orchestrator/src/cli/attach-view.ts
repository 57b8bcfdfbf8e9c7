import { dialogMethods } from "../agent-protocol.js";
import type { Dialog, StreamFrame } from "../types.js";
import { plain } from "./output.js";

interface AgentEvent {
  type: string;
  [field: string]: unknown;
}

type Frame = StreamFrame | { type: "error"; error: string };

/** What people see of an agent, and what a line of theirs means. */
export class AttachView {
  readonly #print: (text: string) => void;
  #dialogs: Dialog[];
  #isInText = false;

  /** @param dialogs those that are open already */
  constructor(dialogs: readonly Dialog[], print: (text: string) => void) {
    this.#dialogs = [...dialogs];
    this.#print = print;
  }

  frame(frame: Frame): void {
    switch (frame.type) {
      case "event":
        this.#event(frame.event as AgentEvent);
        break;
      case "instance":
        this.say(`${frame.instance.status}${frame.instance.reason ? `: ${frame.instance.reason}` : ""}`);
        break;
      case "prompt_state":
        if (frame.prompt.state === "interrupted" || frame.prompt.state === "rejected") {
          this.say(`prompt ${frame.prompt.promptId} ${frame.prompt.state}: ${frame.prompt.error ?? ""}`);
        }
        break;
      case "dialog_closed":
        this.#closed(frame.dialogId);
        break;
      case "error":
        this.say(frame.error);
        break;
      default:
        break;
    }
  }

  /** What a line answers: a dialog, by its id; `prompt`: none is open. Undefined: it is no answer, and people are told. */
  answer(line: string): { id: string; [field: string]: unknown } | "prompt" | undefined {
    const [dialog] = this.#dialogs;
    if (!dialog) return "prompt";
    const answer = answerTo(dialog, line.trim(), line);
    if (typeof answer === "string") {
      this.#line(`  ${answer}`);
      return undefined;
    }
    this.#dialogs.shift();
    return { id: dialog.id, ...answer };
  }

  ask(dialog: Dialog): void {
    this.#line(`? ${dialog.title}`);
    if (dialog.method === "confirm") this.#line(`  ${dialog.message} [y/n]`);
    if (dialog.method === "select")
      for (const [at, option] of dialog.options.entries()) this.#line(`  ${at + 1}. ${option}`);
  }

  /** Something of ours, not the agent's. */
  say(text: string): void {
    this.#line(`[${text}]`);
  }

  /** Answered here, it is known no more; otherwise the next line is not for it. */
  #closed(dialogId: string): void {
    const dialog = this.#dialogs.find(({ id }) => id === dialogId);
    if (!dialog) return;
    this.#dialogs = this.#dialogs.filter((other) => other !== dialog);
    this.say(`no longer asked: ${dialog.title}`);
  }

  #event(event: AgentEvent): void {
    switch (event.type) {
      case "message_update": {
        const update = event["assistantMessageEvent"] as { type: string; delta?: string };
        if (update.type !== "text_delta") break;
        this.#isInText = true;
        this.#print(plain(update.delta ?? ""));
        break;
      }
      case "tool_execution_start":
        this.say(`${String(event["toolName"])} ${JSON.stringify(event["args"]).slice(0, 200)}`);
        break;
      case "agent_settled":
        this.say("idle");
        break;
      case "extension_ui_request": {
        const dialog = event as unknown as Dialog;
        if (!dialogMethods.has(dialog.method)) break;
        this.#dialogs.push(dialog);
        this.ask(dialog);
        break;
      }
      default:
        break;
    }
  }

  #line(text: string): void {
    this.#print(`${this.#isInText ? "\n" : ""}${plain(text)}\n`);
    this.#isInText = false;
  }
}

/** The fields of the answer, or what is wrong with it. */
function answerTo(dialog: Dialog, word: string, line: string): object | string {
  if (dialog.method === "confirm") {
    return /^(y(es)?|no?)$/i.test(word) ? { confirmed: /^y/i.test(word) } : "Answer y or n.";
  }
  if (dialog.method !== "select") return { value: line };
  const value = dialog.options.includes(line) ? line : (dialog.options[Number(word) - 1] ?? undefined);
  return value === undefined ? `Answer with a number from 1 to ${dialog.options.length}.` : { value };
}
