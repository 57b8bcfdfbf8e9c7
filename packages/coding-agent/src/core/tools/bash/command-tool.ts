import type { AgentToolUpdateCallback } from "@earendil-works/pi-agent-core";
import type { ExtensionToolContext } from "../../extensions/types/context.js";
import type { ToolDefinition } from "../../extensions/types/tool.js";
import { getCommandEnvironment, type SessionEnvironment } from "../../process/environment.js";
import type { BashOperations } from "../../process/local-bash-operations.js";
import { OutputAccumulator } from "../output-accumulator.js";
import { OutputCleaner } from "../output-cleaning.js";
import { checkArguments, type ToolSchema } from "../tool-schema.js";
import type { BashToolDetails } from "./details.js";
import { BashCommandError, interruptionOf } from "./interruption.js";
import { backgroundNote, truncationNote } from "./notes.js";
import { UpdateThrottle } from "./update-throttle.js";

export interface BashToolInput {
  command: string;
  timeout?: number;
}

/** What a command is about to run with. */
export interface BashSpawnContext {
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Changes what a command runs with; called after the prefix was put before the command. */
export type BashSpawnHook = (context: BashSpawnContext) => BashSpawnContext;

export type BashToolDefinition = ToolDefinition<ToolSchema<BashToolInput>, BashToolDetails | undefined>;

/** What tools that run commands differ in. */
export interface CommandToolKind {
  name: string;
  description: string;
  parameters: ToolSchema<BashToolInput>;
  promptSnippet: string;
  operations: BashOperations;
  /** Of files with the whole output. */
  tempFilePrefix: string;
}

export interface CommandToolOptions {
  /** Shell lines put before every command. */
  commandPrefix?: string | undefined;
  /** Whether commands get the `PI_*` variables of the session; default true. */
  exposeSessionEnvironment?: boolean | undefined;
  spawnHook?: BashSpawnHook | undefined;
}

/** Bytes of raw output in `structuredContent`. */
const MAX_STRUCTURED_BYTES = 1024 * 1024;
const UPDATE_INTERVAL_MS = 100;

/** A tool that runs commands in a shell. Source: agent-and-tools.md B2. */
export function commandToolDefinition(
  kind: CommandToolKind,
  cwd: string,
  { commandPrefix, spawnHook, exposeSessionEnvironment = true }: CommandToolOptions,
): BashToolDefinition {
  const { name, parameters } = kind;
  return {
    name,
    label: name,
    description: kind.description,
    parameters,
    constrainedSampling: { type: "json_schema", strict: "prefer" },
    promptSnippet: kind.promptSnippet,
    ...(exposeSessionEnvironment && {
      promptGuidelines: [
        `Commands run by ${name} can inspect the PI_* environment variables to learn about this session.`,
      ],
    }),
    async execute(_toolCallId, params, signal, onUpdate, ctx) {
      checkArguments(name, parameters, params);
      const command = commandPrefix ? `${commandPrefix}\n${params.command}` : params.command;
      const plain: BashSpawnContext = {
        command,
        cwd: ctx?.cwd || cwd,
        env: getCommandEnvironment(exposeSessionEnvironment ? sessionEnvironment(ctx) : undefined),
      };
      const spawn = spawnHook ? spawnHook(plain) : plain;
      return runCommand(kind, spawn, params.timeout, signal, onUpdate);
    },
  };
}

async function runCommand(
  { operations, tempFilePrefix }: CommandToolKind,
  spawn: BashSpawnContext,
  timeout: number | undefined,
  signal: AbortSignal | undefined,
  onUpdate: AgentToolUpdateCallback<BashToolDetails | undefined> | undefined,
): Promise<Awaited<ReturnType<BashToolDefinition["execute"]>>> {
  if (signal?.aborted) throw new BashCommandError("Command aborted", undefined);
  const started = performance.now();
  const output = new OutputAccumulator({ tempFilePrefix, cleaner: new OutputCleaner() });
  const updates = new UpdateThrottle(UPDATE_INTERVAL_MS, () => {
    const { content, details } = shown(output);
    onUpdate?.({ content: [{ type: "text", text: content }], details });
  });
  onUpdate?.({ content: [], details: undefined });

  let exitCode: number | null;
  let stillWriting: Promise<void> | undefined;
  try {
    let returned = false;
    const result = await operations.exec(spawn.command, spawn.cwd, {
      onData: (data) => {
        if (returned) return output.appendToFile(data);
        const pending = output.append(data);
        if (onUpdate) updates.request();
        return pending;
      },
      ...(signal && { signal }),
      ...(timeout !== undefined && { timeout }),
      env: spawn.env,
    });
    returned = true;
    ({ exitCode, stillWriting } = result);
  } catch (error) {
    output.finish();
    updates.finish();
    await output.closeTempFile();
    const status = interruptionOf(error);
    if (status === undefined) {
      await output.removeTempFile();
      throw error;
    }
    const { text, details, path } = finalText(output, "");
    if (path === undefined) await output.removeTempFile();
    throw new BashCommandError(text === "" ? status : `${text}\n\n${status}`, details, error);
  }
  output.finish();
  if (stillWriting) {
    output.persist();
    void stillWriting.then(() => output.closeTempFile());
  } else {
    await output.closeTempFile();
  }
  updates.finish();

  const { text, details, path } = finalText(output, "(no output)", stillWriting !== undefined);
  if (exitCode === null) {
    throw new BashCommandError(`${text}\n\nCommand terminated without an exit code`, details);
  }
  const fullOutput = await output.readFullOutput(MAX_STRUCTURED_BYTES);
  if (path === undefined) await output.removeTempFile();
  const failed = exitCode !== 0;
  return {
    content: [{ type: "text", text: failed ? `${text}\n\nCommand exited with code ${exitCode}` : text }],
    details,
    structuredContent: {
      output: fullOutput,
      truncated: details?.truncation !== undefined,
      ...(path !== undefined && { full_output_path: path }),
      exit_code: exitCode,
      wall_time_seconds: Math.round(performance.now() - started) / 1000,
    },
    ...(failed && { isError: true }),
  };
}

/** The current tail and its details. */
function shown(output: OutputAccumulator): { content: string; details: BashToolDetails | undefined; path?: string } {
  const { content, truncation, fullOutputPath } = output.snapshot({ persistIfTruncated: true });
  if (!truncation.truncated) return { content, details: undefined };
  const path = fullOutputPath !== undefined && { fullOutputPath };
  return { content, details: { truncation, ...path }, ...(fullOutputPath !== undefined && { path: fullOutputPath }) };
}

/** The tail with the notes on what is missing from it. */
function finalText(
  output: OutputAccumulator,
  empty: string,
  stillWriting = false,
): { text: string; details: BashToolDetails | undefined; path?: string | undefined } {
  const { content, details, path } = shown(output);
  let text = content === "" ? empty : content;
  if (details?.truncation) {
    text += truncationNote(details.truncation, output.getLastLineBytes(), path ?? output.fileError);
  }
  if (!stillWriting) return { text, details, path };
  const log = output.persist();
  text += backgroundNote(log ?? output.fileError);
  return { text, details: log === undefined ? details : { ...details, fullOutputPath: log }, path: log };
}

/** The parts of a session context that commands may learn about; contexts of other hosts may lack some. */
interface SessionContextLike {
  readonly sessionManager?: { getSessionId?(): string; getSessionFile?(): string | undefined };
  readonly thinkingLevel?: string;
}

function sessionEnvironment(ctx: ExtensionToolContext | undefined): SessionEnvironment | undefined {
  if (!ctx) return undefined;
  const { sessionManager, thinkingLevel } = ctx as ExtensionToolContext & SessionContextLike;
  return {
    sessionId: sessionManager?.getSessionId?.(),
    sessionFile: sessionManager?.getSessionFile?.(),
    provider: ctx.model?.provider,
    model: ctx.model?.id,
    reasoningLevel: thinkingLevel,
  };
}
