/**
 * Elements are made one by one and text goes in as text: no markup is ever made from what a session says. (The page's
 * policy has the browser refuse it as well.)
 */
import { stripControls } from "../../tools/output-cleaning.js";

export type Child = Node | string | undefined;

/** An element with classes and children; strings become text without terminal codes. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  classes = "",
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (classes !== "") made.className = classes;
  append(made, children);
  return made;
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== undefined) parent.appendChild(typeof child === "string" ? textNode(child) : child);
  }
}

export function textNode(content: string): Text {
  return document.createTextNode(stripControls(content));
}

/** @param title what the button does, where its caption is short */
export function button(caption: string, onClick: () => void, title = ""): HTMLButtonElement {
  const made = element("button", "", caption);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", onClick);
  return made;
}

/** Something folded under a heading. */
export function folded(classes: string, heading: string, ...children: readonly Child[]): HTMLDetailsElement {
  return element("details", classes, element("summary", "", heading), ...children);
}

/** An element that the page's template has. */
export function part<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no #${id}`);
  return found;
}
