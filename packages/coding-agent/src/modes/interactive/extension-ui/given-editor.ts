import type { EditorComponent } from "@earendil-works/pi-tui";
import { givenComponent } from "../../../core/extensions/running/given.js";

/**
 * The editor of an extension, whose mistakes are told instead of thrown into the program: a call that throws, or a text
 * that is none.
 * @param onFailure called once, when the call that failed is over
 * @throws TypeError when it is no editor
 */
export function givenEditor(editor: EditorComponent, onFailure: (error: unknown) => void): EditorComponent {
  givenComponent(editor, "The editor", ["render", "handleInput", "getText", "setText"]);
  let text = "";
  let hasFailed = false;
  const fail = (error: unknown) => {
    if (!hasFailed) setImmediate(() => onFailure(error));
    hasFailed = true;
  };
  /** What the program gets from an editor that does not say. */
  const otherwise = (name: PropertyKey) => (name === "getText" || name === "getExpandedText" ? text : undefined);
  return new Proxy(editor, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        try {
          const result: unknown = value.apply(target, args);
          if (name === "setText") text = args[0] as string;
          if (name !== "getText" && name !== "getExpandedText") return result;
          if (typeof result !== "string") throw new TypeError(`${name}() gave no text`);
          text = result;
          return result;
        } catch (error) {
          // What cannot be drawn is told where it is drawn, too.
          fail(error);
          return name === "render" ? [] : otherwise(name);
        }
      };
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
