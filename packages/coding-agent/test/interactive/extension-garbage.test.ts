import type { Component } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { ExtensionUIContext } from "../../src/index.js";
import { useMode } from "./in-process.js";

const start = useMode();
const wait = () => new Promise((resolve) => setTimeout(resolve, 40));
const fail = (words: string) => {
  throw new Error(words);
};
/** Extensions in JavaScript know no types. */
type Loose = Record<string, (...given: unknown[]) => unknown>;

/** What is given where something else is wanted. */
const odd = [undefined, null, 5, true, "text", { a: 1 }, Object.create(null), [1, null, { a: 1 }], () => undefined];
/** Components that are none, or fail. */
const noComponents: [string, unknown][] = [
  ["nothing", undefined],
  ["a text", "text"],
  ["no render", {}],
  ["render gives nothing", { render: () => undefined, invalidate: () => {} }],
  ["render gives no texts", { render: () => [null], invalidate: () => {} }],
  ["render throws", { render: () => fail("cannot draw"), invalidate: () => fail("cannot draw anew") }],
];

describe("whatever extensions give, the terminal goes on", () => {
  it("to methods that show something or ask", async () => {
    const { mode, terminal } = await start();
    const ui = mode.extensionUI as unknown as Loose;
    const methods =
      "notify setStatus setWidget setTitle setEditorText pasteToEditor setFooter setHeader setEditorComponent setTheme " +
      "addAutocompleteProvider onTerminalInput setWorkingMessage setWorkingVisible setWorkingIndicator getTheme " +
      "setHiddenThinkingLabel setToolsExpanded select confirm input editor custom";
    for (const name of methods.split(" ")) {
      for (const first of odd) {
        for (const second of [undefined, 5, null]) {
          // Some say no to the extension that calls: that is theirs to know.
          await Promise.resolve()
            .then(() => void Promise.resolve(ui[name]?.(first, second, second)).catch(() => {}))
            .catch(() => {});
        }
        mode.tui.renderNow();
      }
      mode.extensionUI.reset();
    }
    terminal.type("\x15", "still here");
    await expect.poll(() => terminal.screen()).toContain("still here");
  }, 60_000);

  it.each(noComponents)("as a component: %s", async (_how, given) => {
    const { mode, terminal } = await start(80, 40);
    const ui: ExtensionUIContext = mode.extensionUI;
    const make = () => given as Component;
    const puts: (() => unknown)[] = [
      () => ui.setWidget("w", make),
      () => ui.setFooter(make),
      () => ui.setHeader(make),
      () => ui.setEditorComponent(make as never),
    ];
    for (const put of puts) {
      try {
        put();
      } catch (error) {
        expect(String(error)).toContain("is no component");
      }
      mode.tui.invalidate();
      await terminal.screen();
    }
    // Nobody could answer it: it is refused, or taken away and thrown to whoever asked.
    for (const overlay of [false, true]) await expect(ui.custom(make, { overlay })).rejects.toThrow();
    await wait();
    terminal.type("still here");
    await expect.poll(() => terminal.screen()).toContain("still here");
    mode.extensionUI.reset();
    await expect.poll(() => terminal.screen()).not.toContain("cannot be drawn");
  });

  it("a component that throws on a key is told once, and hears the next one", async () => {
    const { mode, terminal } = await start();
    const heard: string[] = [];
    const done = mode.extensionUI.custom<string>((_tui, _theme, _keys, finish) => ({
      render: () => ["a game"],
      invalidate: () => {},
      handleInput: (data) => {
        heard.push(data);
        if (data === "t") fail("a bad key");
        if (data === "q") finish("left");
      },
      dispose: () => fail("not even away"),
    }));
    await expect.poll(() => terminal.screen()).toContain("a game");
    for (const key of ["t", "t", "x", "q"]) terminal.type(key);
    expect(await done).toBe("left");
    expect(heard).toEqual(["t", "t", "x", "q"]);
    await expect.poll(() => terminal.screen()).toContain("a bad key");
    expect((await terminal.screen()).split("a bad key").length).toBe(2);
    expect(await terminal.screen()).toContain("not even away");
  });

  it.each(["getText", "handleInput", "render", "setText"] as const)(
    "an editor whose %s throws is replaced by the usual one, with what was typed",
    async (method) => {
      const { mode, terminal } = await start();
      let isBroken = false;
      mode.extensionUI.setEditorText("draft");
      mode.extensionUI.setEditorComponent(() => {
        let text = "";
        const editor = {
          render: () => ["own editor"],
          invalidate: () => {},
          getText: () => text,
          setText: (given: string) => {
            text = given;
          },
          handleInput: (data: string) => {
            text += data;
          },
        };
        const whole = editor[method] as (...args: unknown[]) => unknown;
        return {
          ...editor,
          [method]: (...args: unknown[]) => (isBroken ? fail("no editor") : whole(...args)),
        } as never;
      });
      await expect.poll(() => terminal.screen()).toContain("own editor");
      isBroken = true;
      terminal.type("x");
      mode.extensionUI.setEditorText("typed");
      mode.tui.invalidate();
      mode.extensionUI.getEditorText();
      await expect.poll(() => terminal.screen()).toContain("the usual one is back: no editor");
      terminal.type("!");
      await expect.poll(() => terminal.screen()).toMatch(/\n(typed|draftx?)!/);
    },
  );

  it.each(noComponents)("as what a renderer of tools, messages or entries gives: %s", async (_how, given) => {
    const component = () => given as Component;
    const { mode, terminal } = await start(80, 60, {
      factories: [
        (pi) => {
          pi.registerToolRenderer(() => ({ renderCall: component, renderResult: component }));
          pi.registerMessageRenderer("note", component);
          pi.registerEntryRenderer("entry", component);
        },
      ],
    });
    mode.session.sessionManager.appendCustomMessageEntry("note", "the words of the note", true);
    mode.session.sessionManager.appendCustomEntry("entry", 1);
    mode.showSession();
    mode.transcript.handle({ type: "tool_execution_start", toolCallId: "1", toolName: "read", args: { path: "a.ts" } });
    const result = { content: [{ type: "text" as const, text: "x" }], details: undefined };
    mode.transcript.handle({ type: "tool_execution_end", toolCallId: "1", toolName: "read", result, isError: false });
    terminal.type("still here");
    await expect.poll(() => terminal.screen()).toContain("still here");
    const isOne = typeof (given as Component | undefined)?.render === "function";
    expect(await terminal.screen()).toMatch(
      isOne ? /\[cannot be drawn: / : /the words of the note[\s\S]*read path="a\.ts"/,
    );
  });
});
