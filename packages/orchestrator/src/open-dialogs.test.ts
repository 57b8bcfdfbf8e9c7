import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenDialogs } from "./open-dialogs.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request = (id: string, more: object = {}) =>
  JSON.stringify({ type: "extension_ui_request", id, method: "input", title: "?", ...more });
const ids = (dialogs: OpenDialogs) => dialogs.all().map(({ dialog }) => dialog.id);

describe("dialogs that wait for an answer", () => {
  it("are closed once, and told so", () => {
    const closed: string[] = [];
    const dialogs = new OpenDialogs((id) => closed.push(id));
    for (const id of ["a", "b", "c"]) dialogs.take(request(id));
    dialogs.take(request("shown", { method: "notify" }));
    expect([dialogs.close("b"), dialogs.close("b"), dialogs.close("nobody")]).toEqual([true, false, false]);
    expect(ids(dialogs)).toEqual(["a", "c"]);
    dialogs.clear();
    expect(closed).toEqual(["b", "a", "c"]);
  });

  it.each([
    [1000, 999, 1001],
    [2 ** 31 - 1, 5000, 2 ** 31],
  ])(
    "one of %i ms is there after %i ms and not after %i, also with whoever takes it over",
    (timeout, before, after) => {
      const dialogs = new OpenDialogs();
      dialogs.take(request("a", { timeout }));
      vi.advanceTimersByTime(before);
      const next = new OpenDialogs();
      for (const open of dialogs.all()) next.add(open);
      expect(ids(next)).toEqual(["a"]);
      const kept = dialogs.all();
      vi.advanceTimersByTime(after - before);
      expect([ids(dialogs), ids(next)]).toEqual([[], []]);
      const late = new OpenDialogs();
      for (const open of kept) late.add(open);
      expect(ids(late)).toEqual([]);
    },
  );

  it.each([0, -1, 2 ** 31])("a limit of %i ms is none", (timeout) => {
    const dialogs = new OpenDialogs();
    dialogs.take(request("a", { timeout }));
    vi.advanceTimersByTime(2 ** 31 - 1);
    expect(ids(dialogs)).toEqual(["a"]);
  });
});
