import type { SeenConversation, SeenToolResult } from "../types.js";

type SeenCall = { id: string; name: string; arguments: unknown };

/**
 * Where a wire format has no room for images in a tool result, they travel in a user text behind it. For a responder
 * they belong to the result, not to the user.
 */
const imageCarrier =
  /^(Attached image\(s\) from tool result:|Tool result image:|Images from the error result of tool call )/;

/** Collects a conversation of any wire format in order of its messages. */
export class ConversationBuilder {
  readonly #system: string[] = [];
  readonly #tools: SeenConversation["tools"] = [];
  readonly #turns: SeenConversation["turns"] = [];
  readonly #names = new Map<string, string>();

  system(text: string): void {
    if (text !== "") this.#system.push(text);
  }

  tool(name: string, description: string, parameters: unknown): void {
    this.#tools.push({ name, description, parameters });
  }

  user(text: string, images: number): void {
    const last = this.#turns.at(-1);
    if (last?.role === "toolResults" && images > 0 && imageCarrier.test(text)) {
      const owner = last.results.find((result) => text.includes(` ${result.callId} `)) ?? last.results.at(-1);
      if (owner !== undefined) owner.images += images;
      return;
    }
    this.#turns.push({ role: "user", text, images });
  }

  /** `continues`: the wire format spreads one answer over several items. */
  assistant(text: string, toolCalls: SeenCall[], continues = false): void {
    for (const call of toolCalls) this.#names.set(call.id, call.name);
    const last = this.#turns.at(-1);
    if (continues && last?.role === "assistant") {
      last.text += text;
      last.toolCalls.push(...toolCalls);
      return;
    }
    this.#turns.push({ role: "assistant", text, toolCalls: [...toolCalls] });
  }

  /** Results that follow each other form one turn, however many messages carry them. */
  result(result: SeenToolResult): void {
    const name = result.name ?? this.#names.get(result.callId);
    const named = name === undefined ? result : { ...result, name };
    const last = this.#turns.at(-1);
    if (last?.role === "toolResults") last.results.push(named);
    else this.#turns.push({ role: "toolResults", results: [named] });
  }

  build(): SeenConversation {
    const last = this.#turns.at(-1);
    return {
      system: this.#system.join("\n\n"),
      tools: this.#tools,
      turns: this.#turns,
      lastResults: last?.role === "toolResults" ? last.results : [],
    };
  }
}
