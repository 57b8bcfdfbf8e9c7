import { afterEach, describe, expect, it } from "vitest";
import { Box } from "../components/box.js";
import { Container } from "../components/container.js";
import { Text } from "../components/text.js";
import { MouseRegion } from "../layout/mouse-region.js";
import { visibleWidth } from "../text/width.js";
import type { Component } from "../types.js";
import { onComponentFailure } from "./draw-component.js";

/** What extensions in JavaScript call a component. */
const broken: [string, unknown, string][] = [
  ["throws", { render: () => fail("foot") }, "foot"],
  ["throws a text", { render: () => raise("plain") }, "plain"],
  ["throws what is no text either", { render: () => raise(Object.create(null)) }, "no reason given"],
  ["throws over many lines", { render: () => fail("one\x1b[2J\ntwo") }, "one[2J"],
  ["gives nothing", { render: () => undefined }, "no list of texts"],
  ["gives a text", { render: () => "line" }, "no list of texts"],
  ["gives a list of something else", { render: () => [null] }, "no list of texts"],
  ["has no render", {}, "render"],
  ["is a text", "component", "render"],
];
const fail = (words: string) => {
  throw new Error(words);
};
const raise = (thrown: unknown) => {
  throw thrown;
};

let stop = () => {};
afterEach(() => stop());

describe("a component that cannot be drawn costs its own rows only", () => {
  const around: [string, (child: Component) => Component][] = [
    ["in a container", (child) => withChild(new Container(), child)],
    ["in a box", (child) => withChild(new Box(0, 0), child)],
    ["in a region", (child) => withChild(new Container(), new MouseRegion(child, () => undefined))],
  ];
  const cases = around.flatMap(([where, wrap]) =>
    broken.map(([how, child, words]) => ({ where, how, wrap, child, words })),
  );

  it.each(cases)("$where: one that $how", ({ wrap, child, words }) => {
    const told: unknown[] = [];
    stop = onComponentFailure((_error, component) => told.push(component));
    const whole = wrap(child as Component);
    const screen = withChild(withChild(new Container(), whole), new Text("after", 0, 0));
    screen.invalidate();
    const lines = screen.render(60);
    expect(lines.at(-1)?.trimEnd()).toBe("after");
    expect(lines.join("\n")).toMatch(/^\[cannot be drawn: .*\]/);
    expect(lines.join("\n")).toContain(words);
    expect(new Set(told)).toEqual(new Set([child]));
    // The same lines again: nothing to send.
    expect(screen.render(60)).toEqual(lines);
    expect(visibleWidth(screen.render(3)[0] ?? "")).toBeLessThanOrEqual(3);
  });

  it("one that can be drawn again is", () => {
    stop = onComponentFailure(() => {});
    let isBroken = true;
    const child = { render: () => (isBroken ? fail("now") : ["fine"]), invalidate: () => fail("never mind") };
    const screen = withChild(new Container(), child as Component);
    expect(screen.render(60)).toEqual(["[cannot be drawn: now]"]);
    isBroken = false;
    screen.invalidate();
    expect(screen.render(60)).toEqual(["fine"]);
  });
});

it("where nobody listens, what it throws is the program's", () => {
  expect(() => withChild(new Container(), { render: () => fail("mine") } as never).render(60)).toThrow("mine");
});

function withChild<Parent extends { addChild(child: Component): void }>(parent: Parent, child: Component): Parent {
  parent.addChild(child);
  return parent;
}
