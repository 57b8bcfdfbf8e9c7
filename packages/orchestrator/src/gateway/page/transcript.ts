interface Part {
  type: string;
  text?: string;
  name?: string;
  arguments?: unknown;
}

interface Message {
  role: string;
  content?: string | Part[];
  command?: string;
  output?: string;
  errorMessage?: string;
  summary?: string;
}

/** What was said, entry by entry, and below it what is being said. Everything is text: nothing of it becomes markup. */
export class Transcript {
  readonly #place: HTMLElement;
  #live: HTMLElement | undefined;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.clear();
  }

  clear(): void {
    this.#place.replaceChildren();
    this.#live = undefined;
  }

  entry(entry: { type: string; message?: Message }): void {
    const { message } = entry;
    if (entry.type !== "message" || !message || message.role === "system") return;
    if (message.role === "assistant") this.#dropLive();
    this.#keepAtEnd(() => {
      const article = document.createElement("article");
      article.dataset["role"] = message.role;
      if (message.role === "toolResult" || message.role === "bashExecution") article.className = "tool";
      article.textContent = textOf(message);
      this.#place.insertBefore(article, this.#live ?? null);
    });
  }

  delta(text: string): void {
    this.#keepAtEnd(() => {
      if (!this.#live) {
        this.#live = document.createElement("article");
        this.#live.dataset["role"] = "assistant ...";
        this.#place.append(this.#live);
      }
      this.#live.append(text);
    });
  }

  #dropLive(): void {
    this.#live?.remove();
    this.#live = undefined;
  }

  /** Who has scrolled up reads on there. */
  #keepAtEnd(change: () => void): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#place;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 40;
    change();
    if (isAtEnd) this.#place.scrollTop = this.#place.scrollHeight;
  }
}

function textOf({ content, command, output, errorMessage, summary }: Message): string {
  const lines: string[] = [];
  if (command !== undefined) lines.push(`$ ${command}`, output ?? "");
  if (summary !== undefined) lines.push(summary);
  if (typeof content === "string") lines.push(content);
  else {
    for (const part of content ?? []) {
      if (part.type === "text") lines.push(part.text ?? "");
      else if (part.type === "toolCall") lines.push(`[${part.name} ${JSON.stringify(part.arguments)}]`);
      else if (part.type === "image") lines.push("[image]");
    }
  }
  if (errorMessage !== undefined) lines.push(errorMessage);
  return lines.join("\n");
}
