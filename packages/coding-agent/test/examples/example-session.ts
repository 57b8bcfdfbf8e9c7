import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from "@pi/testkit";
import { onTestFinished } from "vitest";
import { noUI } from "../../src/core/extensions/running/no-ui.js";
import {
  type AgentSession,
  type AgentSessionEvent,
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  type ExtensionBindings,
  type ExtensionError,
  type ExtensionUIContext,
  SessionManager,
} from "../../src/index.js";
import { examplesFolder } from "./coverage/contract.js";

export interface ExampleSession {
  readonly runtime: AgentSessionRuntime;
  readonly session: AgentSession;
  readonly server: ScriptedServer;
  /** The folder of the project. */
  readonly cwd: string;
  readonly agentDir: string;
  readonly events: AgentSessionEvent[];
  /** What extensions said with `notify`. */
  readonly notes: string[];
  readonly errors: ExtensionError[];
  /** What the last tools gave the model. */
  lastResults(): string[];
  /** What the last request asked the model, without its first message. */
  lastText(): string;
}

export interface ExampleSessionOptions {
  /** Answers of somebody who is there; without them nobody is. */
  ui?: Partial<ExtensionUIContext>;
  flags?: Record<string, boolean | string>;
  settings?: object;
  models?: readonly object[];
  /** Called with the folder of the project before anything is loaded. */
  prepare?: (cwd: string, agentDir: string) => void;
  bindings?: ExtensionBindings;
}

export const says = (text: string) => ({ blocks: [{ type: "text" as const, text }] });
export const calls = (name: string, args: Record<string, unknown> = {}) => ({
  blocks: [{ type: "toolCall" as const, name, arguments: args }],
});

/** A session in this process that has loaded examples as the program loads them, with a scripted model server. */
export async function exampleSession(
  names: readonly string[],
  script: ScriptedServerOptions["script"] = [],
  options: ExampleSessionOptions = {},
): Promise<ExampleSession> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "pi-example-")));
  const [cwd, agentDir] = [join(home, "project"), join(home, "agent")];
  mkdirSync(cwd);
  mkdirSync(agentDir);
  const server = await startScriptedServer({ script });
  const models = (options.models ?? [{ id: "m1" }, { id: "m2", reasoning: true }]).map((model) => ({
    contextWindow: 100_000,
    ...model,
  }));
  const scripted = { api: "anthropic-messages", baseUrl: server.baseUrl("anthropic-messages"), apiKey: "k", models };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { scripted } }));
  writeFileSync(join(agentDir, "settings.json"), JSON.stringify({ retry: { enabled: false }, ...options.settings }));
  options.prepare?.(cwd, agentDir);
  const services = await createAgentSessionServices({
    cwd,
    agentDir,
    resourceLoaderOptions: { additionalExtensionPaths: names.map((name) => join(examplesFolder, name)) },
    extensionFlagValues: new Map(Object.entries(options.flags ?? {})),
  });
  const problems = services.resourceLoader.getExtensions().errors;
  if (problems.length > 0) throw new Error(problems.map(({ error }) => error).join("\n"));
  const runtime = await createAgentSessionRuntime(
    async ({ sessionManager, sessionStartEvent }) => ({
      ...(await createAgentSessionFromServices({
        services,
        sessionManager,
        sessionStartEvent,
        model: services.modelRuntime.getModel("scripted", "m1"),
      })),
      services,
    }),
    { cwd, agentDir, sessionManager: SessionManager.create(cwd, join(home, "sessions")) },
  );
  const events: AgentSessionEvent[] = [];
  const notes: string[] = [];
  const errors: ExtensionError[] = [];
  const ui = { ...noUI, notify: (message: string) => notes.push(message), ...options.ui };
  const bind = async (session: AgentSession) => {
    session.subscribe((event) => events.push(event));
    await session.bindExtensions({
      uiContext: ui,
      mode: options.ui ? "rpc" : "print",
      onError: (error) => errors.push(error),
      commandContextActions: runtime.commandContextActions(),
      ...options.bindings,
    });
  };
  await bind(runtime.session);
  runtime.setRebindSession(bind);
  onTestFinished(async () => {
    await runtime.dispose();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    runtime,
    get session() {
      return runtime.session;
    },
    server,
    cwd,
    agentDir,
    events,
    notes,
    errors,
    lastResults: () => server.requests.at(-1)?.conversation.lastResults.map(({ text }) => text) ?? [],
    lastText: () =>
      server.requests
        .at(-1)
        ?.conversation.turns.map((turn) => ("text" in turn ? turn.text : ""))
        .join("\n") ?? "",
  };
}
