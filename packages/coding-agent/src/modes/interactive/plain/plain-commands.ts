import type { ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { AgentSessionRuntime } from "../../../core/agent-session-runtime.js";

export interface PlainDesk {
  readonly runtime: AgentSessionRuntime;
  print(text: string): void;
  quit(): void;
}

interface PlainCommand {
  name: string;
  description: string;
  run(args: string, desk: PlainDesk): void | Promise<void>;
}

/** The commands that make sense without a screen. */
export const plainCommands: readonly PlainCommand[] = [
  {
    name: "help",
    description: "say the commands",
    run: (_args, { print }) => {
      for (const { name, description } of plainCommands) print(`/${name}: ${description}`);
      print("!command runs a command. Ctrl+C stops the answer; Ctrl+D leaves.");
    },
  },
  {
    name: "model",
    description: "say the models, or choose one: /model provider/id",
    async run(args, { runtime: { session }, print }) {
      const models = await session.modelRuntime.getAvailable();
      const model = models.find(({ provider, id }) => `${provider}/${id}` === args || id === args);
      if (model) {
        await session.setModel(model);
        print(`Model: ${model.provider}/${model.id}`);
        return;
      }
      if (args !== "") print(`No model is called ${args}.`);
      for (const { provider, id } of models) print(`${provider}/${id}`);
      if (models.length === 0) print("No model can be used yet. Leave, and sign in with: pi auth login <provider>");
    },
  },
  {
    name: "thinking",
    description: "say the thinking level, or choose one: /thinking high",
    run(args, { runtime: { session }, print }) {
      const levels = session.getAvailableThinkingLevels();
      if ((levels as string[]).includes(args)) session.setThinkingLevel(args as ThinkingLevel);
      else if (args !== "") print(`No thinking level is called ${args}.`);
      print(`Thinking level: ${session.thinkingLevel}. There are: ${levels.join(", ")}.`);
    },
  },
  {
    name: "new",
    description: "begin a new session",
    async run(_args, { runtime, print }) {
      await runtime.newSession();
      print("New session started.");
    },
  },
  {
    name: "name",
    description: "name the session: /name text",
    run(args, { runtime: { session }, print }) {
      if (args !== "") session.setSessionName(args);
      print(session.sessionName === undefined ? "Usage: /name <name>" : `Session name: ${session.sessionName}`);
    },
  },
  {
    name: "session",
    description: "say where the session is, and what it has cost",
    run(_args, { runtime: { session }, print }) {
      const { sessionFile, totalMessages, tokens, cost } = session.getSessionStats();
      print(`File: ${sessionFile ?? "in memory"}`);
      print(`${totalMessages} messages, ${tokens.total} tokens, $${cost.toFixed(4)}`);
    },
  },
  {
    name: "compact",
    description: "summarise the conversation to make room",
    async run(args, { runtime: { session } }) {
      // The session says how it went.
      await session.compact(args === "" ? undefined : args).catch(() => undefined);
    },
  },
  {
    name: "export",
    description: "write the session as a page: /export path",
    async run(args, { runtime: { session }, print }) {
      print(`Session exported to: ${await session.exportToHtml(args === "" ? undefined : args)}`);
    },
  },
  { name: "quit", description: "leave", run: (_args, desk) => desk.quit() },
];
