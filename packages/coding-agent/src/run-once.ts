import type { ImageContent } from "@earendil-works/pi-ai";
import type { Args } from "./cli/args.js";
import { chooseModel } from "./cli/model-choice.js";
import { StartError, selectSession } from "./cli/session-selection.js";
import { AgentSessionRuntime } from "./core/agent-session-runtime.js";
import { createAgentSessionServices } from "./core/agent-session-services.js";
import { findLocalModels } from "./core/models/local-models.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import { createAgentSessionFromServices } from "./core/sdk.js";
import { SettingsManager } from "./core/settings/settings-manager.js";
import { printError, takeOverStdout } from "./modes/output.js";
import { runPrintMode } from "./modes/print-mode.js";

export interface RunOnceOptions {
  args: Args;
  cwd: string;
  agentDir: string;
  /** Piped input, trimmed. */
  stdin: string | undefined;
  mode: "text" | "json";
}

/** Prepares a session from the command line and runs print or JSON mode on it. Returns the exit code. */
export async function runOnce(options: RunOnceOptions): Promise<number> {
  const output = takeOverStdout(killTrackedProcesses);
  try {
    const prepared = await prepare(options);
    if (typeof prepared === "number") return prepared;
    const { runtime, initialMessage, images, messages } = prepared;
    return await runPrintMode(runtime, { mode: options.mode, initialMessage, initialImages: images, messages }, output);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    printError(error instanceof StartError ? text : `Error: ${text}`);
    return 1;
  }
}

async function prepare({ args, cwd, agentDir, stdin }: RunOnceOptions) {
  const settingsManager = SettingsManager.create(cwd, agentDir);
  const services = createAgentSessionServices({
    cwd,
    agentDir,
    settingsManager,
    systemPrompt: args.systemPrompt,
    appendSystemPrompt: args.appendSystemPrompt,
    noContextFiles: args.noContextFiles,
  });
  // What is wrong with the configuration comes first: it may be why the rest fails.
  for (const { type, message } of services.diagnostics) {
    printError(type === "info" ? message : `${type === "error" ? "Error" : "Warning"}: ${message}`);
  }
  const warn = (text: string) => printError(`Warning: ${text}`);
  const choice = await chooseModel(args, services.modelRuntime, settingsManager.getSettings());
  for (const { type, message } of choice.messages) {
    printError(type === "info" ? message : `${type === "error" ? "Error" : "Warning"}: ${message}`);
  }
  // Failed starts must leave no session file, so the model comes before the session.
  if (choice.messages.some(({ type }) => type === "error")) return 1;
  const { initialMessage, images, messages } = await promptOf(args, cwd, stdin);

  const sessionDir =
    args.sessionDir ?? process.env["PI_CODING_AGENT_SESSION_DIR"] ?? settingsManager.getSettings().sessionDir;
  const sessionManager = selectSession({ args, cwd, agentDir, sessionDir, warn });
  if (args.name !== undefined) sessionManager.appendSessionInfo(args.name);
  if (!choice.model && sessionManager.buildSessionContext().model?.provider === "local") {
    const { message } = await findLocalModels({ runtime: services.modelRuntime, provider: "local" });
    if (message) printError(message);
  }
  const { session, modelFallbackMessage } = await createAgentSessionFromServices({
    services: { ...services, cwd: sessionManager.getCwd() },
    sessionManager,
    model: choice.model,
    thinkingLevel: args.thinking ?? choice.thinkingLevel,
    tools: args.tools,
    excludeTools: args.excludeTools,
    noTools: args.noTools ? "all" : args.noBuiltinTools ? "builtin" : undefined,
  });
  if (modelFallbackMessage) warn(modelFallbackMessage);
  return {
    runtime: new AgentSessionRuntime(session, services, modelFallbackMessage),
    initialMessage,
    images,
    messages,
  };
}

/** stdin, files and the first message are one text, joined as they are. Source: cli-and-config.md section 1.11. */
async function promptOf(args: Args, cwd: string, stdin: string | undefined) {
  let text = stdin ?? "";
  let images: ImageContent[] = [];
  if (args.fileArgs.length > 0) {
    const { readFileArgs } = await import("./cli/file-args.js");
    const files = readFileArgs(args.fileArgs, cwd);
    text += files.text;
    images = files.images;
  }
  const [first, ...messages] = args.messages;
  text += first ?? "";
  return { initialMessage: text === "" ? undefined : text, images, messages };
}
