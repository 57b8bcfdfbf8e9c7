import { describe, expect, it } from "vitest";
import { Places } from "./places.js";

describe("places", () => {
  it("are given in the order of asking, and each once", () => {
    const places = new Places(2);
    expect(["a", "b", "c", "d", "a"].map((id) => places.ask(id))).toEqual([true, true, false, false, true]);
    expect(places.ask("c")).toBe(false);
    expect(places.waiting).toBe(2);
    expect(places.leave("b")).toEqual(["c"]);
    expect(places.leave("d")).toEqual([]);
    expect(places.leave("a")).toEqual([]);
    expect(places.ask("e")).toBe(true);
  });

  it("whoever has a process already keeps it, and then others wait", () => {
    const places = new Places(1);
    for (const id of ["a", "b"]) places.keep(id);
    expect(places.ask("c")).toBe(false);
    expect(places.leave("a")).toEqual([]);
    expect(places.leave("b")).toEqual(["c"]);
  });
});
