import {
  type AssistantMessage,
  type FauxResponseStep,
  fauxAssistantMessage,
  fauxProvider,
  fauxToolCall,
} from "@earendil-works/pi-ai";
import { Type } from "typebox";
import { afterEach } from "vitest";
import {
  type AgentSession,
  type AgentSessionEvent,
  AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionServices,
  type ExtensionBindings,
  type ExtensionError,
  type ExtensionFactory,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "../src/index.js";
import { inTemporaryFolder } from "./temporary-folder.js";

/** A session with inline extensions and a model that answers from a list. */
export interface ExtensionSession {
  runtime: AgentSessionRuntime;
  readonly session: AgentSession;
  events: AgentSessionEvent[];
  errors: ExtensionError[];
  faux: ReturnType<typeof fauxProvider>;
  /** What the model was sent, by request: text of each message with its role. */
  requests: string[][];
  /** Waits until nothing is going on. */
  idle(): Promise<void>;
}

export const say = (text: string, extra: Partial<AssistantMessage> = {}) => ({
  ...fauxAssistantMessage(text),
  ...extra,
});
export const call = (name: string, args: Record<string, unknown> = {}) =>
  fauxAssistantMessage([fauxToolCall(name, args)], { stopReason: "toolUse" });

/** Gives each test of the file a folder and what opens one session in it; both end with the test. */
export function useExtensionSession(prefix: string) {
  let folder = "";
  let opened: ExtensionSession | undefined;
  inTemporaryFolder(prefix, (path) => {
    folder = path;
  });
  afterEach(async () => {
    await opened?.runtime.dispose();
    opened = undefined;
  });
  return async (...rest: Rest<Parameters<typeof extensionSession>>): Promise<ExtensionSession> => {
    opened = await extensionSession(folder, ...rest);
    return opened;
  };
}

type Rest<Arguments extends unknown[]> = Arguments extends [unknown, ...infer Others] ? Others : never;

/** A tool with one optional `text` that does what `execute` says. */
export const tool = (
  name: string,
  execute: (params: { text?: string }) => unknown = () => ({ content: [{ type: "text", text: "done" }], details: 1 }),
) => ({
  name,
  label: name,
  description: name,
  parameters: Type.Object({ text: Type.Optional(Type.String()) }),
  execute: async (_id: string, params: { text?: string }) => execute(params) as never,
});

export async function extensionSession(
  folder: string,
  factories: ExtensionFactory[],
  answers: FauxResponseStep[] = [],
  bindings: ExtensionBindings = {},
  settings: object = {},
): Promise<ExtensionSession> {
  const faux = fauxProvider({ provider: "f", models: [{ id: "m", contextWindow: 40_000 }, { id: "n" }] });
  const requests: string[][] = [];
  faux.setResponses(
    answers.map(
      (answer): FauxResponseStep =>
        async (context, options, state, model) => {
          requests.push(context.messages.map((message) => `${message.role}: ${textOf(message)}`));
          return typeof answer === "function" ? answer(context, options, state, model) : answer;
        },
    ),
  );
  const modelRuntime = new ModelRuntime({ agentDir: folder });
  modelRuntime.registerNativeProvider(faux.provider);
  const settingsManager = SettingsManager.inMemory({
    retry: { enabled: false },
    compaction: { keepRecentTokens: 10 },
    ...settings,
  });
  const services = await createAgentSessionServices({
    cwd: folder,
    agentDir: folder,
    modelRuntime,
    settingsManager,
    resourceLoaderOptions: { extensionFactories: factories, noSkills: true, noContextFiles: true },
  });
  const loadErrors = services.resourceLoader.getExtensions().errors;
  if (loadErrors.length > 0) throw new Error(loadErrors.map(({ error }) => error).join("\n"));
  const make = async ({
    sessionManager,
    sessionStartEvent,
  }: {
    sessionManager: SessionManager;
    sessionStartEvent?: unknown;
  }) => ({
    ...(await createAgentSessionFromServices({
      services,
      sessionManager,
      sessionStartEvent: sessionStartEvent as never,
      model: faux.getModel(),
    })),
    services,
  });
  const sessionManager = SessionManager.create(folder, `${folder}/sessions`);
  const runtime = new AgentSessionRuntime(make, folder, await make({ sessionManager }));
  const events: AgentSessionEvent[] = [];
  const errors: ExtensionError[] = [];
  const bind = async (session: AgentSession) => {
    session.subscribe((event) => events.push(event));
    await session.bindExtensions({
      onError: (error) => errors.push(error),
      commandContextActions: runtime.commandContextActions(),
      ...bindings,
    });
  };
  await bind(runtime.session);
  runtime.setRebindSession(bind);
  return {
    runtime,
    get session() {
      return runtime.session;
    },
    events,
    errors,
    faux,
    requests,
    async idle() {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await runtime.session.waitForIdle();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

export function textOf(message: object | undefined): string {
  const { content } = (message ?? {}) as { content?: unknown };
  if (typeof content === "string") return content;
  const blocks = (content ?? []) as { type: string; text?: string; name?: string }[];
  return blocks.map((block) => block.text ?? block.name ?? block.type).join("|");
}
