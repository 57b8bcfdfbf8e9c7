import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleWidth } from "../text/width.js";
import { Input } from "./input.js";

describe("Input", () => {
  it("edits one line", () => {
    const input = new Input();
    const done: string[] = [];
    input.onSubmit = (value) => done.push(value);
    for (const data of ["a", "b", "\x1b[200~c\nd\te\x1b[201~", "\x1b[D", "\x7f"]) input.handleInput(data);
    expect(input.getValue()).toBe("abcd   e");
    input.handleInput("\x17");
    input.handleInput("\r");
    expect(done).toEqual(["e"]);
    let escaped = false;
    input.onEscape = () => {
      escaped = true;
    };
    input.handleInput("\x1b");
    expect(escaped).toBe(true);
  });

  it("shows a placeholder while it is empty", () => {
    const input = new Input({ placeholder: "search", prompt: "? " });
    expect(input.render(10)).toEqual(["? search"]);
    input.setValue("x");
    expect(input.render(4)).toEqual(["? x "]);
  });

  it("always fits, with its cursor in view", () => {
    const char = fc.constantFrom("a", "中", "👍", " ", "\x1b[D", "\x1b[H", "\x1b[F");
    fc.assert(
      fc.property(fc.array(char, { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (data, width) => {
        const input = new Input();
        input.focused = true;
        for (const one of data) {
          input.handleInput(one);
          const [line = ""] = input.render(width);
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          expect(line).toContain("\x1b_pi:c\x07");
        }
      }),
    );
  });
});
