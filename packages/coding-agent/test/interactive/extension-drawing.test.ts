import { type AutocompleteProvider, type Component, Text } from "@earendil-works/pi-tui";
import { expect, it } from "vitest";
import { CustomEditor } from "../../src/modes/interactive/input/custom-editor.js";
import { useMode } from "./in-process.js";

const start = useMode();

it("messages are drawn as transformers of their kind say, in load order; one that throws changes nothing", async () => {
  const seen: string[] = [];
  const { mode, terminal } = await start(80, 40, {
    factories: [
      (pi) =>
        pi.registerMarkdownTransformer((text, { messageType, isStreaming, availableWidth, timestamp }) => {
          if (!seen.includes(messageType)) seen.push(messageType);
          expect([isStreaming, availableWidth > 0, timestamp?.slice(-1)]).toEqual([false, true, "Z"]);
          return text.replace("one", "two");
        }),
      (pi) =>
        pi.registerMarkdownTransformer(() => {
          throw new Error("no");
        }),
      (pi) => {
        pi.registerMarkdownTransformer((text) => `never ${text}`);
        // Registered again, it takes the place of the first.
        pi.registerMarkdownTransformer((text) => text.replace("two", "three"), { messageTypes: ["user", "custom"] });
      },
    ],
  });
  const { session } = mode;
  const timestamp = Date.now();
  session.sessionManager.appendMessage({ role: "user", content: "user one", timestamp });
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
  session.sessionManager.appendMessage({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "thought one" },
      { type: "text", text: "answer one" },
    ],
    api: "x",
    provider: "x",
    model: "x",
    stopReason: "stop",
    usage: { ...usage, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
    timestamp,
  });
  session.sessionManager.appendCustomMessageEntry("note", "custom one, two", true);
  mode.showSession();
  const screen = await terminal.screen();
  expect(screen).toContain("user three");
  expect(screen).toContain("thought two");
  expect(screen).toContain("answer two");
  expect(screen).toContain("custom one, three");
  expect(seen.sort()).toEqual(["assistant", "assistant-thinking", "user"]);
});

it("tools are drawn as tool renderers say, and what these leave out as the tool and the built-in one do", async () => {
  const { mode, terminal } = await start(80, 40, {
    factories: [
      (pi) => pi.registerToolRenderer((name) => (name === "other" ? { renderShell: "self" } : undefined)),
      (pi) =>
        pi.registerToolRenderer((name, next) =>
          name === "read" ? { ...next(), renderResult: () => new Text("<<hidden>>", 0, 0) } : next(),
        ),
    ],
  });
  mode.transcript.handle({ type: "tool_execution_start", toolCallId: "1", toolName: "read", args: { path: "a.ts" } });
  const result = { content: [{ type: "text" as const, text: "secret" }], details: undefined };
  mode.transcript.handle({ type: "tool_execution_end", toolCallId: "1", toolName: "read", result, isError: false });
  const screen = await terminal.screen();
  expect(screen).toMatch(/read a\.ts\s*\n\s*<<hidden>>/);
  expect(screen).not.toContain("secret");
});

it("entries are drawn by their renderers, and one that fails says so", async () => {
  const { mode, terminal } = await start(80, 30, {
    factories: [
      (pi) => {
        pi.registerEntryRenderer("good", ({ data }, { expanded, keyText }, theme) => {
          return new Text(theme.fg("accent", `entry ${data} ${expanded} ${keyText("app.tools.expand")}`), 0, 0);
        });
        pi.registerEntryRenderer("bad", () => {
          throw new Error("broken pencil");
        });
        pi.registerCommand("write", {
          handler: async () => {
            for (const type of ["good", "bad", "unknown"]) pi.appendEntry(type, "data");
          },
        });
      },
    ],
  });
  await mode.session.prompt("/write");
  const screen = await terminal.screen();
  expect(screen).toContain("entry data false ctrl+o");
  expect(screen).toContain("[bad] renderer failed: broken pencil");
  expect(screen).not.toContain("unknown");
});

it("completion of extensions goes around the program's own, and stays when the session is bound", async () => {
  const asked: string[] = [];
  const around =
    (word: string, character: string) =>
    (current: AutocompleteProvider): AutocompleteProvider => ({
      ...(character && { triggerCharacters: [character] }),
      getSuggestions: async (lines, line, column, options) => {
        asked.push(word);
        if (lines[0] === `${character}x`) return { items: [{ value: word, label: word }], prefix: `${character}x` };
        return current.getSuggestions(lines, line, column, options);
      },
      applyCompletion: (...given) => current.applyCompletion(...given),
    });
  const { mode, terminal } = await start(80, 24, {
    factories: [
      (pi) =>
        void pi.on("session_start", (_event, ctx) => {
          ctx.ui.addAutocompleteProvider(around("inner", "$"));
          ctx.ui.addAutocompleteProvider(around("outer", ""));
        }),
    ],
  });
  await mode.session.waitForIdle();
  terminal.type("$", "x");
  await expect.poll(() => terminal.screen()).toContain("inner");
  expect(new Set(asked)).toEqual(new Set(["outer", "inner"]));
  expect(() =>
    mode.extensionUI.addAutocompleteProvider(() => {
      throw new Error("no completion");
    }),
  ).toThrow("no completion");
  // The one that failed left the others as they were.
  mode.extensionUI.refreshCompletion();
  mode.extensionUI.reset();
  asked.length = 0;
  terminal.type("\x7f", "x");
  await terminal.screen();
  expect(asked).toEqual([]);
});

it("a reset takes dialogs, components and overlays away, answers none of them, and restores title and keys", async () => {
  const { mode, terminal } = await start();
  const ui = mode.extensionUI;
  const ended: string[] = [];
  const answers: unknown[] = [];
  const component = (name: string): Component & { dispose(): void } => ({
    render: () => [`component ${name}`],
    invalidate: () => {},
    dispose: () => void ended.push(name),
  });
  ui.setTitle("mine");
  for (const asked of [
    ui.select("Which?", ["a"]),
    ui.confirm("Sure?", "", { timeout: 60_000 }),
    ui.input("Name?"),
    ui.editor("Text?"),
    ui.custom(() => component("inline")),
    ui.custom(() => component("overlay"), { overlay: true }),
  ]) {
    void asked.then((answer) => answers.push(answer));
  }
  expect(await terminal.screen()).toContain("component overlay");
  ui.reset();
  const screen = await terminal.screen();
  expect(screen).not.toMatch(/component|Which|Sure|Name\?|Text\?/);
  expect(ended.sort()).toEqual(["inline", "overlay"]);
  expect(answers).toEqual([]);
  expect(terminal.titles.at(-1)).toMatch(/^π - /);
  terminal.type("k");
  expect(await terminal.screen()).toContain("\nk\n");
});

it("a component whose factory fails, or is done at once, leaves the editor as it was", async () => {
  const { mode, terminal } = await start();
  const ui = mode.extensionUI;
  terminal.type("d", "r", "a", "f", "t");
  await expect(ui.custom(() => Promise.reject(new Error("no screen")))).rejects.toThrow("no screen");
  await expect(
    ui.custom(() => {
      throw new Error("at once");
    }),
  ).rejects.toThrow("at once");
  const ended: string[] = [];
  const early = ui.custom<number>((_tui, _theme, _keys, done) => {
    done(1);
    return { render: () => ["never shown"], invalidate: () => {}, dispose: () => void ended.push("early") };
  });
  expect(await early).toBe(1);
  const screen = await terminal.screen();
  expect(screen).toContain("\ndraft\n");
  expect(screen).not.toContain("never shown");
  expect(ended).toEqual(["early"]);
});

it("an editor of an extension keeps the actions it has and gets those it has not", async () => {
  const { mode, terminal } = await start();
  const pressed: string[] = [];
  mode.extensionUI.setEditorComponent((tui, theme, keybindings) => {
    const editor = new CustomEditor(tui, theme, keybindings);
    editor.onEscape = () => pressed.push("escape");
    editor.onAction("app.tools.expand", () => pressed.push("expand"));
    return editor;
  });
  terminal.type("\x1b");
  await terminal.screen();
  await new Promise((resolve) => setTimeout(resolve, 60));
  terminal.type("\x0f");
  await terminal.screen();
  expect(pressed).toEqual(["escape", "expand"]);
  // Ctrl+T is one of the program's own.
  terminal.type("\x14");
  expect(await terminal.screen()).toContain("Thinking blocks:");
});

it("failures of extensions are said with their stack, and an abort gives queued messages back", async () => {
  const { mode, terminal } = await start(100, 40, {
    factories: [
      (pi) => {
        pi.registerCommand("fail", {
          handler: async () => {
            throw new Error("went wrong");
          },
        });
        pi.registerCommand("stop", { handler: async (_args, ctx) => ctx.abort() });
      },
    ],
  });
  await mode.session.prompt("/fail");
  expect(await terminal.screen()).toMatch(/Error: Extension "command:fail" error: went wrong\n\s+at /);
  await mode.session.followUp("later").catch(() => {});
  await mode.session.prompt("/stop");
  expect(mode.editor.text).toBe("later");
});

it("commands of extensions fork, move through the tree and reload with what the user sees of it", async () => {
  const { mode, terminal } = await start(80, 30, {
    factories: [
      (pi) => {
        pi.on("session_start", ({ reason }, ctx) => {
          ctx.ui.notify(`began: ${reason}`);
          if (reason === "reload") ctx.ui.setWidget("w", ["from the reload"]);
          else ctx.ui.setWidget("w", ["from the start"]);
        });
        pi.registerCommand("move", {
          handler: async (args, ctx) => {
            const { cancelled } = await ctx.navigateTree(args, { summarize: false });
            ctx.ui.notify(`moved: ${!cancelled}`);
          },
        });
        pi.registerCommand("again", { handler: async (_args, ctx) => ctx.reload() });
      },
    ],
  });
  const { sessionManager } = mode.session;
  const timestamp = Date.now();
  const first = sessionManager.appendMessage({ role: "user", content: "first words", timestamp });
  sessionManager.appendMessage({ role: "user", content: "second words", timestamp });
  mode.showSession();
  expect(await terminal.screen()).toContain("second words");
  await mode.session.prompt(`/move ${first}`);
  const moved = await terminal.screen();
  expect(moved).toContain("moved: true");
  expect(moved).not.toContain("second words");
  expect(mode.editor.text).toBe("first words");
  expect(moved).toContain("from the start");
  await mode.session.prompt("/again");
  const reloaded = await terminal.screen();
  expect(reloaded).toContain("began: reload");
  expect(reloaded).toContain("from the reload");
  expect(reloaded).not.toContain("from the start");
});
