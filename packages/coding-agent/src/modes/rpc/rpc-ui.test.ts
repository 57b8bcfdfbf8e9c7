import { describe, expect, it } from "vitest";
import { schemaProblem } from "../../../test/rpc-schema.js";
import { noUI } from "../../core/extensions/running/no-ui.js";
import type { ExtensionUIContext } from "../../core/extensions/types.js";
import { Theme } from "../../core/themes/theme.js";
import { RpcUI } from "./rpc-ui.js";

/** Every member of the contract, so that none is forgotten. */
const members: Record<keyof ExtensionUIContext, "dialog" | "shown" | "local"> = {
  select: "dialog",
  confirm: "dialog",
  input: "dialog",
  editor: "dialog",
  notify: "shown",
  setStatus: "shown",
  setWidget: "shown",
  setTitle: "shown",
  setEditorText: "shown",
  pasteToEditor: "shown",
  getEditorText: "local",
  custom: "local",
  setFooter: "local",
  setHeader: "local",
  setEditorComponent: "local",
  getEditorComponent: "local",
  addAutocompleteProvider: "local",
  onTerminalInput: "local",
  setWorkingMessage: "local",
  setWorkingVisible: "local",
  setWorkingIndicator: "local",
  setHiddenThinkingLabel: "local",
  theme: "local",
  getAllThemes: "local",
  getTheme: "local",
  setTheme: "local",
  getToolsExpanded: "local",
  setToolsExpanded: "local",
};

function open() {
  const sent: Record<string, unknown>[] = [];
  const ui = new RpcUI(
    (request) => sent.push(request as never),
    () => undefined,
  );
  return { ui, context: ui.context, sent };
}

/** What modes without a screen do: nothing is drawn, and everything can be called. */
async function expectNothing(ui: ExtensionUIContext): Promise<void> {
  const never = () => expect.fail("nothing is made where there is no screen");
  expect(ui.getEditorText()).toBe("");
  expect(await ui.custom(never)).toBeUndefined();
  expect(ui.setFooter(never)).toBeUndefined();
  expect(ui.setHeader(never)).toBeUndefined();
  expect(ui.setEditorComponent(never)).toBeUndefined();
  expect(ui.getEditorComponent()).toBeUndefined();
  expect(ui.addAutocompleteProvider(never)).toBeUndefined();
  expect(ui.onTerminalInput(never)()).toBeUndefined();
  expect(ui.setWorkingMessage("x")).toBeUndefined();
  expect(ui.setWorkingVisible(false)).toBeUndefined();
  expect(ui.setWorkingIndicator({ frames: [] })).toBeUndefined();
  expect(ui.setHiddenThinkingLabel("x")).toBeUndefined();
  expect(ui.theme).toBeInstanceOf(Theme);
  expect(ui.theme.fg("accent", ui.theme.bold("x"))).toBe("x");
  expect(ui.getAllThemes()).toEqual([]);
  expect(ui.getTheme("dark")).toBeUndefined();
  expect(ui.getToolsExpanded()).toBe(false);
  expect(ui.setToolsExpanded(true)).toBeUndefined();
  expect(ui.getToolsExpanded()).toBe(false);
}

describe("ctx.ui without anybody", () => {
  it("has every member; dialogs are as if they had been cancelled", async () => {
    expect(Object.keys(noUI).sort()).toEqual(Object.keys(members).sort());
    await expectNothing(noUI);
    expect(await noUI.select("t", ["a"])).toBeUndefined();
    expect(await noUI.confirm("t", "m")).toBe(false);
    expect(await noUI.input("t")).toBeUndefined();
    expect(await noUI.editor("t", "given")).toBeUndefined();
    expect(noUI.setTheme("dark")).toEqual({ success: false, error: "UI not available" });
    for (const name of ["notify", "setStatus", "setWidget", "setTitle", "setEditorText", "pasteToEditor"] as const) {
      expect((noUI[name] as (...args: unknown[]) => unknown)("a", "b")).toBeUndefined();
    }
  });
});

describe("ctx.ui of RPC mode", () => {
  it("has every member; what needs a screen does nothing and sends nothing", async () => {
    const { context, sent } = open();
    expect(Object.keys(context).sort()).toEqual(Object.keys(members).sort());
    await expectNothing(context);
    expect(context.setTheme("dark")).toEqual({
      success: false,
      error: "Theme switching not supported in RPC mode",
    });
    context.setWidget("key", () => ({ render: () => [], invalidate: () => {} }));
    expect(sent).toEqual([]);
  });

  it("sends what is shown", () => {
    const { context, sent } = open();
    context.notify("n");
    context.notify("w", "warning");
    context.setStatus("s", "text");
    context.setStatus("s", undefined);
    context.setWidget("w", ["a", "b"], { placement: "belowEditor" });
    context.setWidget("w", undefined);
    context.setTitle("title");
    context.setEditorText("text");
    context.pasteToEditor("paste");
    for (const { type, id } of sent) expect([type, typeof id]).toEqual(["extension_ui_request", "string"]);
    expect(sent.map(({ type: _type, id: _id, ...rest }) => rest)).toEqual([
      { method: "notify", message: "n" },
      { method: "notify", message: "w", notifyType: "warning" },
      { method: "setStatus", statusKey: "s", statusText: "text" },
      { method: "setStatus", statusKey: "s" },
      { method: "setWidget", widgetKey: "w", widgetLines: ["a", "b"], widgetPlacement: "belowEditor" },
      { method: "setWidget", widgetKey: "w" },
      { method: "setTitle", title: "title" },
      { method: "set_editor_text", text: "text" },
      { method: "set_editor_text", text: "paste" },
    ]);
  });

  it("keeps to the protocol whatever an extension gives", () => {
    const { context, sent } = open();
    const odd = [undefined, null, 42, "text", ["a", 5], { a: 1 }, true];
    // Extensions in JavaScript know no types.
    const loose = context as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const name of [
      "notify",
      "setStatus",
      "setWidget",
      "setTitle",
      "setEditorText",
      "select",
      "confirm",
      "input",
      "editor",
    ])
      for (const first of odd)
        for (const second of odd) void loose[name]?.(first, second, { timeout: second, placement: second });
    expect(sent.length).toBeGreaterThan(300);
    expect(sent.map((record) => schemaProblem("RpcRecord", record)).filter(Boolean)).toEqual([]);
  });

  it.each([
    ["select", ["t", ["a"]], { value: "a" }, "a", undefined],
    ["confirm", ["t", "m"], { confirmed: true }, true, false],
    ["input", ["t", "p"], { value: "typed" }, "typed", undefined],
    ["editor", ["t", "p"], { value: "" }, "", undefined],
  ] as const)(
    "%s waits for its answer; cancelled, aborted and answered with nonsense it has its default",
    async (name, args, answer, expected, otherwise) => {
      const { ui, context, sent } = open();
      const ask = context[name] as (...given: unknown[]) => Promise<unknown>;
      const respond = async (fields: object) => {
        const asked = ask(...args);
        const { id } = sent.at(-1) as { id: string };
        ui.respond({ type: "extension_ui_response", id: "somebody else's", ...answer });
        ui.respond({ type: "extension_ui_response", id, ...fields });
        // A second answer comes too late.
        ui.respond({ type: "extension_ui_response", id, ...answer });
        return asked;
      };
      expect(await respond(answer)).toBe(expected);
      expect(await respond({ cancelled: true, ...answer })).toBe(otherwise);
      expect(await respond({ value: 7, confirmed: "yes" })).toBe(otherwise);
      if (name === "editor") return;
      const abort = new AbortController();
      const aborted = ask(...args, { signal: abort.signal });
      abort.abort();
      expect(await aborted).toBe(otherwise);
      const count = sent.length;
      expect(await ask(...args, { signal: abort.signal })).toBe(otherwise);
      expect(sent).toHaveLength(count);
      const late = ask(...args, { timeout: 5 });
      expect(sent.at(-1)).toMatchObject({ method: name, timeout: 5 });
      expect(await late).toBe(otherwise);
    },
  );
});
