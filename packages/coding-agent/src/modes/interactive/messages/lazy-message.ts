import type { Component } from "@earendil-works/pi-tui";
import { Container } from "@earendil-works/pi-tui";

/** Switches that hold for everything in the chat. */
export interface ChatLook {
  expanded: boolean;
  hideThinking: boolean;
  hiddenThinkingLabel: string;
  outputPad: number;
  showImages: boolean;
  imageWidthCells: number;
  codeBlockIndent: string;
}

/** What the switches can be handed to. Parts that know none of them have none of the members. */
interface Switchable {
  setExpanded?(expanded: boolean): void;
  setHideThinkingBlock?(hide: boolean): void;
  setHiddenThinkingLabel?(label: string): void;
  setOutputPad?(pad: number): void;
  setShowImages?(show: boolean): void;
  setImageWidthCells?(cells: number): void;
}

export function applyLook(component: Component, look: Partial<ChatLook>): void {
  const part = component as Component & Switchable;
  if (look.expanded !== undefined) part.setExpanded?.(look.expanded);
  if (look.hideThinking !== undefined) part.setHideThinkingBlock?.(look.hideThinking);
  if (look.hiddenThinkingLabel !== undefined) part.setHiddenThinkingLabel?.(look.hiddenThinkingLabel);
  if (look.outputPad !== undefined) part.setOutputPad?.(look.outputPad);
  if (look.showImages !== undefined) part.setShowImages?.(look.showImages);
  if (look.imageWidthCells !== undefined) part.setImageWidthCells?.(look.imageWidthCells);
}

/** A message of a long conversation: its parts are made when it comes into sight. */
export class LazyMessage extends Container {
  #make: (() => readonly Component[]) | undefined;

  constructor(make: () => readonly Component[]) {
    super();
    this.#make = make;
  }

  override render(width: number): readonly string[] {
    if (this.#make) {
      for (const part of this.#make()) this.addChild(part);
      this.#make = undefined;
    }
    return super.render(width);
  }

  /** Of what was not made yet, the switches of the moment hold when it is. */
  apply(look: Partial<ChatLook>): void {
    for (const child of this.children) applyLook(child, look);
  }
}
