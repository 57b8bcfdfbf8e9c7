import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxProvider } from "@earendil-works/pi-ai";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { inTemporaryFolder } from "../../test/temporary-folder.js";
import { type AgentSessionRuntime, createAgentSessionRuntime } from "./agent-session-runtime.js";
import { createAgentSessionServices } from "./agent-session-services.js";
import { ModelRuntime } from "./models/model-runtime.js";
import { createAgentSession, createAgentSessionFromServices } from "./sdk.js";
import { SessionManager } from "./session-manager.js";
import { SettingsManager } from "./settings/settings-manager.js";

let folder: string;
inTemporaryFolder("pi-runtime-", (path) => {
  folder = path;
});
let runtime: AgentSessionRuntime;
let faux: ReturnType<typeof fauxProvider>;
/** What extensions heard, by the number of their session. */
let heard: string[];
let sessions: number;

beforeEach(async () => {
  heard = [];
  sessions = 0;
  faux = fauxProvider({ provider: "f", models: [{ id: "m" }] });
  faux.setResponses(Array.from({ length: 5 }, (_, index) => fauxAssistantMessage(`answer ${index}`)));
  const modelRuntime = new ModelRuntime({ agentDir: folder });
  modelRuntime.registerNativeProvider(faux.provider);
  runtime = await createAgentSessionRuntime(
    async ({ cwd, agentDir, sessionManager, sessionStartEvent }) => {
      const number = ++sessions;
      const services = await createAgentSessionServices({
        cwd,
        agentDir,
        modelRuntime,
        settingsManager: SettingsManager.inMemory({}),
        resourceLoaderOptions: {
          extensionFactories: [
            (pi) => {
              pi.on("session_start", () => void heard.push(`start ${number}`));
              pi.on("session_shutdown", ({ reason }) => void heard.push(`end ${number} ${reason}`));
            },
          ],
        },
      });
      const model = faux.getModel();
      const made = await createAgentSessionFromServices({ services, sessionManager, sessionStartEvent, model });
      return { ...made, services, diagnostics: services.diagnostics };
    },
    { cwd: folder, agentDir: folder, sessionManager: SessionManager.create(folder, join(folder, "sessions")) },
  );
  runtime.setRebindSession((session) => session.bindExtensions({}));
  await runtime.session.bindExtensions({});
});

describe("replacements of the session (cli-and-config.md section 7.2)", () => {
  it("come one after another: every session that began has ended", async () => {
    const results = await Promise.all([
      runtime.newSession(),
      runtime.newSession(),
      runtime.switchSession(join(folder, "another.jsonl")),
    ]);
    expect(results).toEqual(Array(3).fill({ cancelled: false }));
    await runtime.dispose();
    const ends = ["new", "new", "resume", "quit"].map((reason, index) => [
      `start ${index + 1}`,
      `end ${index + 1} ${reason}`,
    ]);
    expect(heard).toEqual(ends.flat());
  });

  it("end with the runtime, which ends once", async () => {
    const waiting = Promise.allSettled([runtime.newSession(), runtime.newSession()]);
    await Promise.all([runtime.dispose(), runtime.dispose()]);
    await runtime.dispose();
    const begun = (await waiting).filter(({ status }) => status === "fulfilled").length;
    expect(heard.filter((event) => event.endsWith("quit"))).toHaveLength(1);
    expect(heard.filter((event) => event.startsWith("start"))).toHaveLength(begun + 1);
    await expect(runtime.newSession()).rejects.toThrow("The runtime has been disposed of.");
  });

  it("may follow from what goes on in the new session", async () => {
    await runtime.newSession({
      withSession: async (ctx) => {
        runtime.session.bindExtensions({ commandContextActions: runtime.commandContextActions() });
        expect(ctx.sessionManager.getEntries().length).toBeGreaterThan(0);
        await runtime.newSession();
      },
    });
    expect(sessions).toBe(3);
  });

  it("one that cannot be opened leaves the session, and the next one its turn", async () => {
    const { session } = runtime;
    appendFileSync(join(folder, "none.jsonl"), "not a session\n");
    await expect(runtime.switchSession(join(folder, "none.jsonl"))).rejects.toThrow("not a valid pi session");
    expect(runtime.session).toBe(session);
    await runtime.session.prompt("still there");
    await runtime.newSession();
    expect(runtime.session).not.toBe(session);
  });
});

describe("a session that has ended", () => {
  it("begins nothing any more, and its file stays as it is", async () => {
    const old = runtime.session;
    await old.prompt("first");
    const file = old.sessionFile ?? "";
    await runtime.newSession();
    const before = readFileSync(file, "utf8");
    const attempts: (() => unknown)[] = [
      () => old.prompt("ghost"),
      () => old.steer("ghost"),
      () => old.followUp("ghost"),
      () => old.sendUserMessage("ghost"),
      () => old.sendCustomMessage({ customType: "c", content: "ghost", display: true }),
      () => old.sendCustomMessage({ customType: "c", content: "ghost", display: true }, { triggerTurn: true }),
      () => old.compact(),
      () => old.executeBash("echo ghost"),
      () => old.setSessionName("ghost"),
      () => old.setModel(faux.getModel()),
      () => old.bindExtensions({}),
      () => old.reload(),
      () => old.navigateTree(old.sessionManager.getEntries()[0]?.id ?? ""),
    ];
    for (const attempt of attempts) {
      await expect((async () => attempt())()).rejects.toThrow("This session has ended");
    }
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(faux.state.callCount).toBe(1);
  });

  it("asks no model, in memory too", async () => {
    const { session } = await createAgentSession({
      cwd: folder,
      agentDir: folder,
      modelRuntime: runtime.services.modelRuntime,
      model: faux.getModel(),
      sessionManager: SessionManager.inMemory(folder),
      settingsManager: SettingsManager.inMemory({}),
    });
    session.dispose();
    await expect(session.prompt("x")).rejects.toThrow("This session has ended");
    expect(faux.state.callCount).toBe(0);
  });
});

it("a session without any model says so", async () => {
  const { modelRuntime } = runtime.services;
  vi.spyOn(modelRuntime, "usable").mockReturnValue(false);
  const { session, modelFallbackMessage } = await createAgentSession({
    cwd: folder,
    agentDir: folder,
    modelRuntime,
    sessionManager: SessionManager.inMemory(folder),
    settingsManager: SettingsManager.inMemory({}),
  });
  expect(session.model).toBeUndefined();
  expect(modelFallbackMessage).toMatch(/^No models available\. /);
});
