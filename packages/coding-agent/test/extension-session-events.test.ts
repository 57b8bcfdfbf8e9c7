import { describe, expect, it } from "vitest";
import type { ExtensionAPI, ExtensionFactory, SessionStartEvent } from "../src/index.js";
import { say, tool, useExtensionSession } from "./extension-session.js";

const open = useExtensionSession("pi-extension-session-events-");

describe("models, commands of the user, summaries, the tree", () => {
  it("a model that is chosen is told with the one before", async () => {
    const seen: unknown[] = [];
    let pi: ExtensionAPI | undefined;
    const { session, faux } = await open([
      (api) => {
        pi = api;
        api.on(
          "model_select",
          ({ model, previousModel, source }) => void seen.push([model.id, previousModel?.id, source]),
        );
        api.on("thinking_level_select", ({ level }) => void seen.push(level));
      },
    ]);
    const other = faux.getModel("n");
    if (!other) throw new Error("no model");
    expect(await pi?.setModel(other)).toBe(true);
    expect(await pi?.setModel({ ...other, provider: "nobody" })).toBe(false);
    expect(session.model?.id).toBe("n");
    expect(seen).toEqual([["n", "m", "set"]]);
  });

  it("commands of the user run elsewhere, are answered, or are refused", async () => {
    const { session } = await open([
      (pi) =>
        void pi.on("user_bash", ({ command }) => {
          if (command === "answer")
            return { result: { output: "given", exitCode: 0, cancelled: false, truncated: false } };
          if (command === "elsewhere") {
            return {
              operations: {
                exec: async (_command, _cwd, { onData }) => {
                  onData(Buffer.from("far"));
                  return { exitCode: 0 };
                },
              },
            };
          }
          if (command === "throw") throw new Error("no shell");
          return undefined;
        }),
    ]);
    expect((await session.executeBash("answer")).output).toBe("given");
    expect((await session.executeBash("elsewhere")).output).toBe("far");
    expect((await session.executeBash("echo here")).output).toBe("here\n");
    await expect(session.executeBash("throw")).rejects.toThrow("no shell");
    expect(session.messages.filter(({ role }) => role === "bashExecution")).toHaveLength(3);
  });

  it("a summary is given or refused by extensions, and told", async () => {
    const seen: unknown[] = [];
    let cancel = true;
    const { session } = await open(
      [
        (pi) => {
          pi.on("session_before_compact", ({ preparation: { firstKeptEntryId, tokensBefore } }) =>
            cancel ? { cancel } : { compaction: { summary: "mine", firstKeptEntryId, tokensBefore } },
          );
          pi.on(
            "session_compact",
            ({ fromExtension, reason, compactionEntry }) =>
              void seen.push([fromExtension, reason, compactionEntry.summary]),
          );
          pi.on("session_compact_failed", ({ aborted }) => void seen.push(aborted));
        },
      ],
      [say("one ".repeat(50)), say("two ".repeat(50))],
    );
    await session.prompt("first");
    await session.prompt("second");
    await expect(session.compact()).rejects.toThrow("Compaction cancelled");
    cancel = false;
    expect((await session.compact()).summary).toBe("mine");
    expect(seen).toEqual([true, [true, "manual", "mine"]]);
    expect(session.messages[0]).toMatchObject({ role: "system" });
    expect(session.messages.some((message) => message.role === "compactionSummary" && message.summary === "mine")).toBe(
      true,
    );
  });

  it("a move through the tree is refused, summarised and labelled by extensions", async () => {
    let cancel = true;
    const seen: unknown[] = [];
    const { session } = await open(
      [
        (pi) => {
          pi.on("session_before_tree", ({ preparation }) => {
            seen.push(preparation.userWantsSummary);
            return cancel ? { cancel } : { summary: { summary: "left" }, label: "mark" };
          });
          pi.on(
            "session_tree",
            ({ summaryEntry, fromExtension }) => void seen.push([summaryEntry?.summary, fromExtension]),
          );
        },
      ],
      [say("one"), say("two")],
    );
    await session.prompt("first");
    await session.prompt("second");
    const target = session.getUserMessagesForForking()[1]?.entryId ?? "";
    expect(await session.navigateTree(target)).toEqual({ cancelled: true });
    cancel = false;
    const { summaryEntry } = await session.navigateTree(target, { summarize: true });
    expect(summaryEntry?.summary).toBe("left");
    expect(session.sessionManager.getLabel(summaryEntry?.id ?? "")).toBe("mark");
    expect(seen).toEqual([false, true, ["left", true]]);
  });

  it("headers and payloads of requests are changed", async () => {
    const { session, faux } = await open(
      [
        (pi) => {
          pi.on("before_provider_headers", ({ headers }) => {
            headers["x-mine"] = "1";
          });
        },
      ],
      [
        (_context, options) => {
          expect(options?.headers).toMatchObject({ "x-mine": "1" });
          return say("ok");
        },
      ],
    );
    await session.prompt("go");
    expect(session.getLastAssistantText()).toBe("ok");
    expect(faux.getPendingResponseCount()).toBe(0);
  });
});

describe("boundaries", () => {
  it("a turn gets entries and one more request; a list that is not sound commits nothing", async () => {
    let turns = 0;
    const { session, requests, errors } = await open(
      [
        (pi) =>
          void pi.on("turn_end", ({ context, continue: goesOn }) => {
            expect([context.canContinue, goesOn]).toEqual([false, false]);
            if (++turns === 1)
              return {
                entries: [{ type: "custom_message", customType: "c", content: "once more", display: true }],
                continue: true,
              };
            return { entries: [{ type: "context_edit", targetId: "nobody", replacement: null }] };
          }),
      ],
      [say("a"), say("b")],
    );
    await session.prompt("go");
    expect(requests[1]?.at(-1)).toBe("user: once more");
    expect(errors).toMatchObject([
      { extensionPath: "<boundary>", error: "Invalid boundary entries: context_edit names no entry: nobody" },
    ]);
  });

  it("before it settles an extension may ask for more", async () => {
    let asked = 0;
    const { session, requests } = await open(
      [
        (pi) =>
          void pi.on("agent_before_settle", () =>
            asked++ === 0
              ? {
                  entries: [{ type: "custom_message", customType: "c", content: "wait", display: false }],
                  continue: true,
                }
              : undefined,
          ),
      ],
      [say("a"), say("b")],
    );
    await session.prompt("go");
    expect(requests.map((lines) => lines.at(-1))).toEqual(["user: go", "user: wait"]);
    expect(asked).toBe(2);
  });
});

describe("sessions that replace one another", () => {
  it("are announced, refused, ended and begun; contexts of before are stale", async () => {
    const seen: string[] = [];
    let cancel = false;
    const contexts: unknown[] = [];
    const factory: ExtensionFactory = (pi) => {
      pi.on("session_before_switch", ({ reason }) => {
        seen.push(`before ${reason}`);
        return { cancel };
      });
      pi.on("session_before_fork", ({ position }) => void seen.push(`fork ${position}`));
      pi.on("session_shutdown", ({ reason }) => void seen.push(`end ${reason}`));
      pi.on("session_start", ({ reason, previousSessionFile }: SessionStartEvent, ctx) => {
        contexts.push(ctx);
        seen.push(`start ${reason} ${previousSessionFile !== undefined}`);
      });
      pi.registerCommand("new", {
        async handler(_args, ctx) {
          await ctx.newSession({
            setup: (manager) => void manager.appendCustomEntry("set", 1),
            async withSession(fresh) {
              expect(fresh.sessionManager.getEntries().some(({ type }) => type === "custom")).toBe(true);
              await fresh.sendUserMessage("hello from before");
            },
          });
          expect(() => ctx.cwd).toThrow(/extension ctx is stale/);
        },
      });
    };
    const running = await open([factory], [say("a"), say("b"), say("c")]);
    const { runtime } = running;
    await running.session.prompt("go");
    await running.session.prompt("/new");
    expect(running.requests[1]?.at(-1)).toBe("user: hello from before");
    const target = running.session.getUserMessagesForForking()[0]?.entryId ?? "";
    await runtime.fork(target);
    cancel = true;
    expect(await runtime.newSession()).toEqual({ cancelled: true });
    expect(seen).toEqual([
      ...["start startup false", "before new", "end new", "start new true"],
      ...["fork before", "end fork", "start fork true", "before new"],
    ]);
    expect(() => (contexts[0] as { cwd: string }).cwd).toThrow(/extension ctx is stale/);
    expect((contexts.at(-1) as { cwd: string }).cwd).toBe(running.session.sessionManager.getCwd());
    expect(running.errors).toEqual([]);
  });

  it("a reload reads again, keeps the conversation and the active tools, and ends what was before", async () => {
    let loads = 0;
    const reasons: string[] = [];
    const { session } = await open(
      [
        (pi) => {
          loads++;
          pi.registerTool(tool("t"));
          pi.registerFlag("f", { type: "string" });
          pi.on("session_start", ({ reason }) => void reasons.push(reason));
          pi.on("session_shutdown", ({ reason }) => void reasons.push(reason));
          pi.on("resources_discover", ({ reason }) => void reasons.push(`discover ${reason}`));
          pi.registerCommand("reload", { handler: async (_args, ctx) => ctx.reload() });
        },
      ],
      [say("a")],
    );
    await session.prompt("go");
    session.setActiveToolsByName(["t"]);
    session.extensionRunner.setFlagValue("f", "v");
    const context = session.extensionRunner.createContext();
    await session.prompt("/reload");
    expect([loads, session.getActiveToolNames(), session.messages.length]).toEqual([2, ["t"], 3]);
    expect(session.extensionRunner.getFlagValues().get("f")).toBe("v");
    expect(reasons).toEqual(["startup", "discover startup", "reload", "reload", "discover reload"]);
    expect(() => context.cwd).toThrow(/extension ctx is stale/);
  });

  it("what a command does after its reload fails where the user sees it", async () => {
    const { session, errors } = await open([
      (pi) => {
        pi.registerCommand("reload", {
          handler: async (_args, ctx) => {
            await ctx.reload();
            ctx.ui.notify("too late");
          },
        });
      },
    ]);
    await session.prompt("/reload");
    expect(errors).toMatchObject([
      { extensionPath: "command:reload", error: expect.stringContaining("extension ctx is stale") },
    ]);
  });
});
