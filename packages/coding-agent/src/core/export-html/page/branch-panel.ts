import { button, element } from "./dom.js";
import { toolCalls } from "./entry-text.js";
import { type BranchFacts, entryView } from "./entry-view.js";
import { type Fields, text } from "./fields.js";
import { setOpen } from "./preview.js";
import type { Entry, Session } from "./session.js";

/** How long entries are drawn without a pause, in ms. */
const SLICE = 12;

/** The conversation from the root to one leaf. Long ones are drawn bit by bit; a jump draws up to its target at once. */
export class BranchPanel {
  readonly #session: Session;
  readonly #box = element("div", "branch");
  readonly #onCopyLink: (entry: Entry, copy: HTMLButtonElement) => void;
  /** Elements of drawn entries; a result stands where its call is. */
  readonly #elements = new Map<number, HTMLElement>();
  #path: Entry[] = [];
  #facts: BranchFacts = { results: new Map(), calls: new Set() };
  #drawn = 0;
  #round = 0;
  #isThinkingOpen = false;
  #isOutputOpen = false;

  constructor(session: Session, parent: HTMLElement, onCopyLink: (entry: Entry, copy: HTMLButtonElement) => void) {
    this.#session = session;
    this.#onCopyLink = onCopyLink;
    parent.append(this.#box);
  }

  show(leaf: number): void {
    this.#path = this.#session.path(leaf);
    this.#facts = factsOf(this.#path);
    this.#elements.clear();
    this.#box.replaceChildren();
    this.#drawn = 0;
    this.#round++;
    this.#drawSlice(this.#round);
  }

  /** Scrolls to the entry and marks it. Entries that are not drawn themselves: to the one before. */
  reveal(at: number): void {
    const index = this.#path.findIndex((entry) => entry.at === at);
    if (index < 0) return;
    while (this.#drawn <= index) this.#drawNext();
    const shown = this.#path.slice(0, index + 1).findLast((entry) => this.#elements.has(entry.at));
    const target = shown && this.#elements.get(shown.at);
    for (const marked of this.#box.querySelectorAll(".target")) marked.classList.remove("target");
    target?.classList.add("target");
    if (target?.classList.contains("hidden-message")) this.#box.classList.add("show-hidden");
    target?.scrollIntoView({ block: "start" });
  }

  toggleThinking(): void {
    this.#isThinkingOpen = !this.#isThinkingOpen;
    this.#applyThinking(this.#box);
  }

  toggleOutput(): void {
    this.#isOutputOpen = !this.#isOutputOpen;
    setOpen(this.#box, this.#isOutputOpen);
  }

  toggleHidden(): void {
    this.#box.classList.toggle("show-hidden");
  }

  /** Folds as at the start. */
  reset(): void {
    this.#isThinkingOpen = false;
    this.#isOutputOpen = false;
    this.#applyThinking(this.#box);
    setOpen(this.#box, false);
    this.#box.classList.remove("show-hidden");
  }

  #drawSlice(round: number): void {
    if (round !== this.#round) return;
    const end = performance.now() + SLICE;
    while (this.#drawn < this.#path.length && performance.now() < end) this.#drawNext();
    const isBusy = this.#drawn < this.#path.length;
    this.#box.setAttribute("aria-busy", String(isBusy));
    if (isBusy) setTimeout(() => this.#drawSlice(round), 0);
  }

  #drawNext(): void {
    const entry = this.#path[this.#drawn++];
    if (!entry) return;
    const view = entryView(entry, this.#facts);
    if (!view) return;
    const copy = button("copy link", () => this.#onCopyLink(entry, copy), "Copy a link to this entry");
    copy.classList.add("copy-link");
    view.append(copy);
    this.#applyThinking(view);
    if (this.#isOutputOpen) setOpen(view, true);
    this.#elements.set(entry.at, view);
    this.#box.append(view);
  }

  #applyThinking(scope: Element): void {
    for (const fold of scope.querySelectorAll<HTMLDetailsElement>("details.thinking")) fold.open = this.#isThinkingOpen;
  }
}

function factsOf(path: readonly Entry[]): BranchFacts {
  const results = new Map<string, Fields>();
  const calls = new Set<string>();
  for (const { role, message } of path) {
    if (role === "toolResult") results.set(text(message["toolCallId"]), message);
    if (role === "assistant") for (const call of toolCalls(message)) calls.add(text(call["id"]));
  }
  return { results, calls };
}
