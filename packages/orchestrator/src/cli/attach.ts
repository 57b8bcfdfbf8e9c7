import { dialogMethods } from "../agent-protocol.js";
import { OrchestratorClient, type OrchestratorStream } from "../ipc/client.js";
import { LineSplitter } from "../lines.js";
import type { Dialog, StreamFrame } from "../types.js";
import type { VerbArguments } from "./arguments.js";
import { plain, print } from "./output.js";

interface AgentEvent {
  type: string;
  [field: string]: unknown;
}

/** Shows what an agent does, for people; a line of stdin is a prompt, or the answer to the dialog that is open. */
export async function attach(args: VerbArguments): Promise<number> {
  const instanceId = args.words[0] ?? "";
  const client = new OrchestratorClient();
  const { dialogs } = await client.call("status", { instanceId });
  const view = new AttachView(dialogs);
  const stream = await client.stream(instanceId, "now", (line) => view.frame(JSON.parse(line) as StreamFrame));
  print(`Attached to ${instanceId}. A line is a prompt; Ctrl-D leaves, and the agent goes on.\n`);
  for (const dialog of dialogs) view.ask(dialog);
  const lines = new LineSplitter((line) => {
    if (line.trim() !== "") view.input(line, stream);
  });
  process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
  process.stdin.on("end", () => {
    const rest = lines.rest();
    if (rest.trim() !== "") view.input(rest, stream);
    stream.close();
  });
  await stream.closed;
  process.stdin.destroy();
  return 0;
}

class AttachView {
  readonly #dialogs: Dialog[];
  #isInText = false;

  constructor(dialogs: readonly Dialog[]) {
    this.#dialogs = [...dialogs];
  }

  frame(
    frame: StreamFrame | { type: "error"; error: string } | { type: "response"; success: boolean; error?: string },
  ): void {
    switch (frame.type) {
      case "event":
        this.#event(frame.event as AgentEvent);
        break;
      case "instance":
        this.#line(`[${frame.instance.status}${frame.instance.reason ? `: ${frame.instance.reason}` : ""}]`);
        break;
      case "prompt_state":
        if (frame.prompt.state === "interrupted" || frame.prompt.state === "rejected") {
          this.#line(`[prompt ${frame.prompt.promptId} ${frame.prompt.state}: ${frame.prompt.error ?? ""}]`);
        }
        break;
      case "error":
        this.#line(`[${frame.error}]`);
        break;
      default:
        break;
    }
  }

  input(line: string, stream: OrchestratorStream): void {
    const dialog = this.#dialogs.shift();
    if (!dialog) {
      stream.send({ type: "prompt", message: line, streamingBehavior: "followUp" });
      return;
    }
    stream.send({ type: "extension_ui_response", id: dialog.id, ...answerTo(dialog, line) });
  }

  ask(dialog: Dialog): void {
    this.#line(`? ${dialog.title}`);
    if (dialog.method === "confirm") this.#line(`  ${dialog.message} [y/n]`);
    if (dialog.method === "select")
      for (const [at, option] of dialog.options.entries()) this.#line(`  ${at + 1}. ${option}`);
  }

  #event(event: AgentEvent): void {
    switch (event.type) {
      case "message_update": {
        const update = event["assistantMessageEvent"] as { type: string; delta?: string };
        if (update.type !== "text_delta") break;
        this.#isInText = true;
        print(plain(update.delta ?? ""));
        break;
      }
      case "tool_execution_start":
        this.#line(`[${String(event["toolName"])} ${JSON.stringify(event["args"]).slice(0, 200)}]`);
        break;
      case "agent_settled":
        this.#line("[idle]");
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
    print(`${this.#isInText ? "\n" : ""}${plain(text)}\n`);
    this.#isInText = false;
  }
}

function answerTo(dialog: Dialog, line: string): object {
  if (dialog.method === "confirm") return { confirmed: /^y(es)?$/i.test(line.trim()) };
  if (dialog.method === "select") return { value: dialog.options[Number(line) - 1] ?? line };
  return { value: line };
}
