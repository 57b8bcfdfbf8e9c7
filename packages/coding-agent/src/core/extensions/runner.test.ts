import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ModelRegistry } from "../model-registry.js";
import { ModelRuntime } from "../models/model-runtime.js";
import { SessionManager } from "../session-manager.js";
import { ExtensionModules, inlineSources, loadExtensions } from "./loader.js";
import { ExtensionRunner } from "./runner.js";
import { createExtensionRuntime, STALE_MESSAGE } from "./runtime.js";
import type {
  ExtensionActions,
  ExtensionContext,
  ExtensionContextActions,
  ExtensionError,
  ExtensionFactory,
  ExtensionUIContext,
} from "./types.js";

const agentDir = mkdtempSync(join(tmpdir(), "pi-runner-"));
afterEach(() => {
  vi.useRealTimers();
});
process.on("exit", () => rmSync(agentDir, { recursive: true, force: true }));

async function runnerOf(...factories: ExtensionFactory[]) {
  const runtime = createExtensionRuntime();
  const loaded = await loadExtensions(inlineSources(factories), {
    cwd: "/cwd",
    runtime,
    modules: new ExtensionModules(agentDir),
  });
  expect(loaded.errors).toEqual([]);
  const registry = new ModelRegistry(new ModelRuntime({ agentDir }));
  const runner = new ExtensionRunner(loaded.extensions, runtime, "/cwd", SessionManager.inMemory("/cwd"), registry);
  const errors: ExtensionError[] = [];
  runner.onError((error) => errors.push(error));
  return { runner, errors, runtime };
}

const start = { type: "session_start", reason: "startup" } as const;

describe("handlers", () => {
  it("run in load order, then in the order they came, one after another", async () => {
    const order: string[] = [];
    const { runner } = await runnerOf(
      (pi) => {
        pi.on("session_start", async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push("a1");
        });
        pi.on("session_start", () => void order.push("a2"));
      },
      (pi) => void pi.on("session_start", () => void order.push("b")),
    );
    await runner.emit<"session_start">(start);
    expect(order).toEqual(["a1", "a2", "b"]);
  });

  it("of names that do not exist are taken and never called", async () => {
    const handler = vi.fn();
    const { runner } = await runnerOf((pi) => void pi.on("session_switch" as "session_start", handler));
    await runner.emit<"session_start">(start);
    expect(handler).not.toHaveBeenCalled();
  });

  it("can be taken away, and who comes during an event waits for the next", async () => {
    const calls: string[] = [];
    const { runner } = await runnerOf((pi) => {
      const off = pi.on("session_start", () => {
        calls.push("a");
        off();
        pi.on("session_start", () => void calls.push("b"));
      });
    });
    await runner.emit<"session_start">(start);
    expect(calls).toEqual(["a"]);
    await runner.emit<"session_start">(start);
    expect(calls).toEqual(["a", "b"]);
    expect(runner.hasHandlers("turn_end")).toBe(false);
  });

  it("that fail are told once for each way they fail, and keep no other from running", async () => {
    let count = 0;
    const after = vi.fn();
    const { runner, errors } = await runnerOf(
      (pi) =>
        void pi.on("session_start", () => {
          if (count++ < 3) throw new Error("boom");
          throw new TypeError("other");
        }),
      (pi) => void pi.on("session_start", async () => Promise.reject("text")),
      (pi) => void pi.on("session_start", after),
    );
    for (let i = 0; i < 5; i++) await runner.emit<"session_start">(start);
    expect(after).toHaveBeenCalledTimes(5);
    expect(errors.map(({ extensionPath, event, error }) => [extensionPath, event, error])).toEqual([
      ["<inline:1>", "session_start", "boom"],
      ["<inline:2>", "session_start", "text"],
      ["<inline:1>", "session_start", "other"],
    ]);
    expect(errors[0]?.stack).toMatch(/runner\.test/);
  });

  it("that do not answer are named after ten seconds, once", async () => {
    vi.useFakeTimers();
    let answer = () => {};
    const { runner, errors } = await runnerOf(
      (pi) =>
        void pi.on(
          "session_start",
          () =>
            new Promise<void>((resolve) => {
              answer = resolve;
            }),
        ),
    );
    const done = runner.emit<"session_start">(start);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(errors).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(errors).toEqual([
      {
        extensionPath: "<inline:1>",
        event: "session_start",
        error: "The handler of session_start has not answered for 10 s.",
      },
    ]);
    answer();
    await done;
  });

  it("that ask the user are not slow while they wait for the answer", async () => {
    vi.useFakeTimers();
    let choose = (_value: string) => {};
    const { runner, errors } = await runnerOf(
      (pi) => void pi.on("session_start", async (_event, ctx) => void (await ctx.ui.select("t", ["a"]))),
    );
    const ui = {
      select: () =>
        new Promise<string>((resolve) => {
          choose = resolve;
        }),
    };
    runner.setUIContext(ui as unknown as ExtensionUIContext, "rpc");
    const done = runner.emit<"session_start">(start);
    await vi.advanceTimersByTimeAsync(35_000);
    expect(errors).toEqual([]);
    choose("a");
    await done;
  });

  it("hold an aborted run for less than a second, however many there are", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const hang = () => new Promise<void>(() => {});
    const quick = vi.fn(async () => {});
    const { runner, errors } = await runnerOf(
      ...Array.from(
        { length: 5 },
        (): ExtensionFactory => (pi) => {
          pi.on("agent_end", hang);
          pi.on("agent_settled", hang);
        },
      ),
      (pi) => void pi.on("agent_settled", quick),
    );
    runner.setRunSignal(() => controller.signal);
    let isDone = false;
    const done = (async () => {
      await runner.emit<"agent_end">({ type: "agent_end", messages: [] });
      await runner.emit<"agent_settled">({ type: "agent_settled", aborted: true });
      isDone = true;
    })();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isDone).toBe(false);
    controller.abort();
    await vi.advanceTimersByTimeAsync(999);
    expect(isDone).toBe(true);
    await done;
    expect(quick).toHaveBeenCalledTimes(1);
    expect(errors).toHaveLength(5);
    expect(errors[0]?.error).toBe("The handler of agent_end did not end when the run was aborted.");
  });

  it("tell when a dialog begins and ends, however many overlap", async () => {
    const seen: string[] = [];
    const { runner } = await runnerOf((pi) => {
      pi.on("ui_prompt_start", ({ kind, title }) => void seen.push(`start ${kind} ${title}`));
      pi.on("ui_prompt_end", () => void seen.push("end"));
    });
    const ui = { confirm: async () => true, input: async () => "x", notify: () => {} };
    runner.setUIContext(ui as unknown as ExtensionUIContext, "rpc");
    const { ui: wrapped } = runner.createContext();
    await Promise.all([wrapped.confirm("t", "m"), wrapped.input("u")]);
    wrapped.notify("n");
    expect(seen).toEqual(["start confirm t", "end"]);
  });
});

describe("contexts", () => {
  const actions = { getThinkingLevel: () => "low" } as unknown as ExtensionActions;
  const contextActions = (model: unknown) =>
    ({
      getModel: () => model,
      isIdle: () => true,
      getScopedModels: () => [],
      getSignal: () => undefined,
    }) as unknown as ExtensionContextActions;

  it("read the moment, and nothing before it", async () => {
    const { runner } = await runnerOf();
    const ctx = runner.createContext();
    expect([ctx.mode, ctx.hasUI, ctx.cwd, ctx.model]).toEqual(["print", false, "/cwd", undefined]);
    expect(ctx.ui.theme.fg("accent", "x")).toBe("x");
    runner.bindCore(actions, contextActions({ id: "m" }));
    runner.setUIContext({ theme: "T" } as unknown as ExtensionUIContext, "tui");
    expect([ctx.mode, ctx.hasUI, ctx.model, ctx.thinkingLevel, ctx.ui.theme]).toEqual([
      "tui",
      true,
      { id: "m" },
      "low",
      "T",
    ]);
  });

  it("throw at every read once the session is over, also methods that were taken from them before", async () => {
    const { runner } = await runnerOf();
    runner.bindCore(actions, contextActions(undefined));
    const contexts: ExtensionContext[] = [
      runner.createContext(),
      runner.createCommandContext(),
      runner.createToolContext("id", undefined),
    ];
    const isIdle = contexts.map((ctx) => ctx.isIdle);
    runner.invalidate();
    for (const ctx of contexts) {
      for (const name of Object.keys(ctx))
        expect(() => ctx[name as keyof ExtensionContext], name).toThrow(STALE_MESSAGE);
    }
    for (const method of isIdle) expect(() => method()).toThrow(STALE_MESSAGE);
  });
});

describe("binding", () => {
  it("registers providers that waited, in order; one that fails is told", async () => {
    const { runner, errors } = await runnerOf(
      (pi) => pi.registerProvider("bad", {}),
      (pi) => {
        pi.registerProvider("good", { baseUrl: "x" });
        pi.unregisterProvider("good");
      },
    );
    const calls: string[] = [];
    runner.bindCore({} as ExtensionActions, {} as ExtensionContextActions, {
      registerProvider(name) {
        calls.push(`+${name}`);
        if (name === "bad") throw new Error("no api");
      },
      registerNativeProvider: () => {},
      unregisterProvider: (name) => void calls.push(`-${name}`),
    });
    expect(calls).toEqual(["+bad", "+good", "-good"]);
    expect(errors).toEqual([{ extensionPath: "<inline:1>", event: "register_provider", error: "no api" }]);
  });

  it("later calls of pi act at once", async () => {
    let later = () => {};
    const { runner } = await runnerOf((pi) => {
      later = () => pi.registerProvider("p", {});
    });
    const registerProvider = vi.fn();
    runner.bindCore({} as ExtensionActions, {} as ExtensionContextActions, {
      registerProvider,
      registerNativeProvider: () => {},
      unregisterProvider: () => {},
    });
    later();
    expect(registerProvider).toHaveBeenCalledWith("p", {});
  });

  it("an action that fails says so to its caller", async () => {
    let pi: Parameters<ExtensionFactory>[0] | undefined;
    const { runner } = await runnerOf((api) => {
      pi = api;
    });
    const setActiveTools = vi.fn();
    runner.bindCore({ setActiveTools } as unknown as ExtensionActions, {} as ExtensionContextActions);
    pi?.setActiveTools(["a"]);
    expect(setActiveTools).toHaveBeenCalledWith(["a"]);
  });
});

describe("names of several extensions", () => {
  const command = { handler: async () => {} };

  it("commands of one name get numbers, in load order, around names that are taken", async () => {
    const { runner } = await runnerOf(
      (pi) => {
        pi.registerCommand("x", command);
        pi.registerCommand("x:2", command);
      },
      (pi) => {
        pi.registerCommand("y", command);
        pi.registerCommand("x", command);
      },
    );
    expect(runner.getRegisteredCommands().map(({ invocationName }) => invocationName)).toEqual([
      "x:1",
      "x:2",
      "y",
      "x:3",
    ]);
    expect(runner.getCommand("x")).toBeUndefined();
    expect(runner.getCommand("x:3")?.name).toBe("x");
  });

  it("a command that throws is told, and so is a shortcut", async () => {
    const { runner, errors } = await runnerOf((pi) => {
      pi.registerCommand("x", { handler: async () => Promise.reject(new Error("no")) });
      pi.registerShortcut("ctrl+shift+y", {
        handler: () => {
          throw new Error("key");
        },
      });
    });
    const known = runner.getCommand("x");
    const shortcut = runner.getShortcuts().get("ctrl+shift+y");
    if (!known || !shortcut) throw new Error("not registered");
    await runner.runCommand(known, "");
    await runner.runShortcut(shortcut);
    expect(errors).toMatchObject([
      { extensionPath: "command:x", event: "command", error: "no" },
      { extensionPath: "<inline:1>", event: "shortcut", error: "key" },
    ]);
  });

  it("the last one has a key; keys of the program that nobody can do without stay", async () => {
    const handler = () => {};
    const { runner } = await runnerOf(
      (pi) => {
        pi.registerShortcut("ctrl+shift+y", { handler });
        pi.registerShortcut("ctrl+g", { handler });
        pi.registerShortcut("ctrl+w", { handler });
      },
      (pi) => pi.registerShortcut("ctrl+shift+y", { handler, description: "mine" }),
    );
    const { shortcuts, warnings } = runner.resolveShortcuts({
      "app.editor.external": "ctrl+g",
      "tui.editor.deleteWordBackward": ["ctrl+w", "alt+backspace"],
    });
    expect([...shortcuts.keys()]).toEqual(["ctrl+shift+y", "ctrl+w"]);
    expect(shortcuts.get("ctrl+shift+y")?.description).toBe("mine");
    expect(warnings.map(({ warning }) => warning)).toEqual([
      "Extension shortcut 'ctrl+g' from <inline:1> conflicts with built-in shortcut. Skipping.",
      "Extension shortcut 'ctrl+w' from <inline:1> takes the key of tui.editor.deleteWordBackward.",
      "Extension shortcut 'ctrl+shift+y' from <inline:2> takes the key from <inline:1>.",
    ]);
  });

  it("tool renderers ask the rest, and one that throws is passed over", async () => {
    const { runner, errors } = await runnerOf(
      (pi) =>
        pi.registerToolRenderer(() => {
          throw new Error("draw");
        }),
      (pi) => pi.registerToolRenderer((name, next) => (name === "a" ? { renderShell: "self" } : next())),
    );
    const own = { renderShell: "default" } as const;
    expect(runner.getToolRenderers("a", own)).toEqual({ renderShell: "self" });
    expect(runner.getToolRenderers("b", own)).toBe(own);
    expect(errors[0]).toMatchObject({ event: "tool_renderer", error: "draw" });
  });
});
