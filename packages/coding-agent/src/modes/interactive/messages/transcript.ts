import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, AssistantMessageEvent, ToolResultMessage } from "@earendil-works/pi-ai";
import { type Component, Container } from "@earendil-works/pi-tui";
import type { AgentSessionEvent } from "../../../core/agent-session-events.js";
import type { ThemeColor } from "../../../core/themes/tokens.js";
import type { ToolExecutionComponent } from "../tools/tool-execution.js";
import type { AssistantMessageComponent } from "./assistant-message.js";
import { type ChatItem, isCustomEntry } from "./chat-items.js";
import { type ChatHost, errorResult, newAssistant, newTool, partsOf } from "./chat-parts.js";
import { applyLook, type ChatLook, LazyMessage } from "./lazy-message.js";
import { StatusLine } from "./status-line.js";
import { callErrorText } from "./stop-text.js";

const NO_RESULTS: ReadonlyMap<string, ToolResultMessage> = new Map();

/** The conversation on screen: what was said before, and what the session tells as it happens. */
export class Transcript extends Container {
  #streaming: AssistantMessageComponent | undefined;
  readonly #tools = new Map<string, ToolExecutionComponent>();
  /** What streamed in and is not shown yet. */
  readonly #grown = new Map<ToolExecutionComponent, unknown>();
  #grownMessage: AssistantMessage | undefined;
  /** The last part, while it is a status that the next one may take the place of. */
  #status: StatusLine | undefined;

  constructor(private readonly host: ChatHost) {
    super();
  }

  /**
   * Shows a conversation from its beginning; parts are made as they come into sight.
   * @param max items from the end that are shown; a line says how many are not
   */
  load(items: readonly ChatItem[], max = Number.POSITIVE_INFINITY): void {
    this.reset();
    const results = new Map<string, ToolResultMessage>();
    const shown: ChatItem[] = [];
    for (const item of items) {
      if (isCustomEntry(item)) shown.push(item);
      else if (item.role === "toolResult") results.set(item.toolCallId, item);
      else if (item.role !== "system") shown.push(item);
    }
    const hidden = Math.max(0, shown.length - max);
    if (hidden > 0) this.#line(hiddenText(hidden), "dim");
    for (const item of shown.slice(hidden)) {
      this.addChild(new LazyMessage(() => partsOf(item, results, this.host)));
    }
  }

  /** Leaves only the last parts, for the main screen: what was never in sight would have to be made for it. */
  keepLast(max: number): void {
    const hidden = this.children.length - max;
    if (hidden <= 0) return;
    this.children.splice(0, hidden);
    const line = new StatusLine(hiddenText(hidden), "dim", this.host.look.outputPad);
    this.children.unshift(line);
  }

  reset(): void {
    this.clear();
    this.#tools.clear();
    this.#streaming = undefined;
    this.#status = undefined;
  }

  override addChild(component: Component): void {
    super.addChild(component);
    this.#status = undefined;
  }

  /** A word about what was done; takes the place of one right before it. */
  status(text: string): void {
    if (this.#status && this.children.at(-1) === this.#status) {
      this.#status.setText(text);
      return;
    }
    this.#status = this.#line(text, "dim");
  }

  /** A word about an answer, which later ones leave alone. */
  notice(text: string): void {
    this.#line(text, "dim");
  }

  error(text: string): void {
    this.#line(`Error: ${text}`, "error");
  }

  warning(text: string): void {
    this.#line(`Warning: ${text}`, "warning");
  }

  #line(text: string, color: ThemeColor): StatusLine {
    const line = new StatusLine(text, color, this.host.look.outputPad);
    this.addChild(line);
    return line;
  }

  /** Switches hold for everything that is there, and for what is to come. */
  apply(look: Partial<ChatLook>): void {
    Object.assign(this.host.look, look);
    for (const child of this.children) {
      if (child instanceof LazyMessage) child.apply(look);
      else applyLook(child, look);
    }
    this.invalidate();
  }

  /** Messages that no event announces, such as commands of the user. */
  addItem(item: ChatItem): void {
    for (const part of partsOf(item, NO_RESULTS, this.host)) this.addChild(part);
  }

  /** Returns whether it was for the transcript. A piece of a stream is kept until `showStream`. */
  handle(event: AgentSessionEvent): boolean {
    switch (event.type) {
      case "message_start":
        this.#begin(event.message);
        return true;
      case "message_update":
        this.#update(event.message, event.assistantMessageEvent);
        return true;
      case "message_end":
        this.#end(event.message);
        return true;
      case "tool_execution_start":
        this.#tool(event.toolName, event.toolCallId, event.args).markExecutionStarted();
        return true;
      case "tool_execution_update":
        this.#tools.get(event.toolCallId)?.updateResult({ ...event.partialResult, isError: false }, true);
        return true;
      case "tool_execution_end": {
        const { toolName, toolCallId, result, isError, durationMs } = event;
        const { content = [], details } = result ?? {};
        this.#tool(toolName, toolCallId, {}).updateResult({ content, details, isError, durationMs });
        this.#tools.delete(toolCallId);
        return true;
      }
      case "entry_appended":
        if (event.entry.type === "custom") this.addItem(event.entry);
        return true;
      default:
        return false;
    }
  }

  #begin(message: AgentMessage): void {
    if (message.role === "assistant") {
      this.#streaming = newAssistant(message, this.host);
      this.#streaming.updateContent(message, true);
      this.addChild(this.#streaming);
    } else if (message.role !== "toolResult") this.addItem(message);
  }

  #update(message: AgentMessage, event: AssistantMessageEvent): void {
    if (message.role !== "assistant") return;
    if (event.type === "toolcall_start" || event.type === "toolcall_delta" || event.type === "toolcall_end") {
      const call = message.content[event.contentIndex];
      if (call?.type !== "toolCall") return;
      const tool = this.#tool(call.name, call.id, call.arguments);
      if (event.type === "toolcall_end") {
        tool.updateArgs(call.arguments);
        tool.setArgsComplete();
      } else this.#grown.set(tool, call.arguments);
    } else this.#grownMessage = message;
  }

  /** Takes what has streamed in since the last time to the screen: often enough to be read, not for each piece. */
  showStream(): void {
    for (const [tool, args] of this.#grown) tool.updateArgs(args);
    this.#grown.clear();
    if (this.#grownMessage) this.#streaming?.updateContent(this.#grownMessage, true);
    this.#grownMessage = undefined;
  }

  #end(message: AgentMessage): void {
    if (message.role !== "assistant") return;
    this.#grown.clear();
    this.#grownMessage = undefined;
    this.#streaming?.updateContent(message);
    this.#streaming = undefined;
    const failure = callErrorText(message);
    for (const call of message.content) {
      if (call.type !== "toolCall") continue;
      const tool = this.#tool(call.name, call.id, call.arguments);
      tool.updateArgs(call.arguments);
      tool.setArgsComplete();
      if (failure !== undefined) tool.updateResult(errorResult(failure));
    }
  }

  #tool(name: string, id: string, args: unknown): ToolExecutionComponent {
    const known = this.#tools.get(id);
    if (known) return known;
    const tool = newTool(name, id, args, this.host);
    this.#tools.set(id, tool);
    this.addChild(tool);
    return tool;
  }
}

function hiddenText(count: number): string {
  return `${count} earlier messages are not shown here. /tree has all of them.`;
}
