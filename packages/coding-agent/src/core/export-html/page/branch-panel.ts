import { button, element } from "./dom.js";
import { toolCalls } from "./entry-text.js";
import { type BranchFacts, entryView } from "./entry-view.js";
import { type Fields, text } from "./fields.js";
import { setOpen } from "./preview.js";
import type { Entry, Session } from "./session.js";

/** How long entries are drawn without a pause, in ms. */
const SLICE = 12;

/** Longer branches are drawn only where one looks: each piece that is added has the browser go over all of them. */
const MAX_WHOLE = 2000;
/** How far from what is seen entries are drawn, so that one scrolls over drawn ones. */
const AHEAD = "1500px";

/**
 * The conversation from the root to one leaf. Entries begin as empty frames, so that a jump is quick in a conversation
 * of any length; what comes near is drawn at once, the rest of all but the longest bit by bit.
 */
export class BranchPanel {
  readonly #session: Session;
  readonly #box = element("div", "branch");
  readonly #onCopyLink: (entry: Entry, copy: HTMLButtonElement) => void;
  /** Frames and drawn entries, by their place. Entries that show elsewhere or not at all lose theirs. */
  readonly #elements = new Map<number, HTMLElement>();
  #path: Entry[] = [];
  #facts: BranchFacts = { results: new Map(), calls: new Set() };
  readonly #frames = new Map<Element, Entry>();
  readonly #observer: IntersectionObserver;
  /** Everything before has been drawn, or is left until one looks. */
  #next = 0;
  #round = 0;
  #isThinkingOpen = false;
  #isOutputOpen = false;

  constructor(session: Session, parent: HTMLElement, onCopyLink: (entry: Entry, copy: HTMLButtonElement) => void) {
    this.#session = session;
    this.#onCopyLink = onCopyLink;
    parent.append(this.#box);
    this.#observer = new IntersectionObserver(
      (seen) => {
        for (const { isIntersecting, target } of seen) if (isIntersecting) this.#draw(this.#frames.get(target));
      },
      { root: parent, rootMargin: `${AHEAD} 0px` },
    );
  }

  show(leaf: number): void {
    this.#path = this.#session.path(leaf);
    this.#facts = factsOf(this.#path);
    this.#observer.disconnect();
    this.#frames.clear();
    this.#elements.clear();
    const frames = document.createDocumentFragment();
    for (const entry of this.#path) {
      const frame = element("article", "frame");
      this.#frames.set(frame, entry);
      this.#elements.set(entry.at, frame);
      frames.append(frame);
    }
    this.#box.replaceChildren(frames);
    for (const frame of this.#frames.keys()) this.#observer.observe(frame);
    this.#next = this.#path.length > MAX_WHOLE ? this.#path.length : 0;
    this.#round++;
    this.#drawSlice(this.#round);
  }

  /** Scrolls to the entry and marks it. Entries that are not drawn themselves: to the one before. */
  reveal(at: number): void {
    let target: HTMLElement | undefined;
    for (let index = this.#path.findIndex((entry) => entry.at === at); index >= 0 && !target; index--) {
      const entry = this.#path[index];
      this.#draw(entry);
      target = entry && this.#elements.get(entry.at);
    }
    if (!target) return;
    for (const marked of this.#box.querySelectorAll(".target")) marked.classList.remove("target");
    target.classList.add("target");
    if (target.classList.contains("hidden-message")) this.#box.classList.add("show-hidden");
    target.scrollIntoView({ block: "start" });
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
    while (this.#next < this.#path.length && performance.now() < end) this.#draw(this.#path[this.#next++]);
    const isBusy = this.#next < this.#path.length;
    this.#box.setAttribute("aria-busy", String(isBusy));
    if (isBusy) setTimeout(() => this.#drawSlice(round), 0);
  }

  /** Puts the entry in the place of its frame, if that has not been done. */
  #draw(entry: Entry | undefined): void {
    const frame = entry && this.#elements.get(entry.at);
    if (!frame || !this.#frames.delete(frame)) return;
    this.#observer.unobserve(frame);
    const view = entryView(entry, this.#facts);
    if (!view) {
      this.#elements.delete(entry.at);
      frame.remove();
      return;
    }
    const copy = button("copy link", () => this.#onCopyLink(entry, copy), "Copy a link to this entry");
    copy.classList.add("copy-link");
    view.append(copy);
    this.#applyThinking(view);
    if (this.#isOutputOpen) setOpen(view, true);
    this.#elements.set(entry.at, view);
    frame.replaceWith(view);
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
