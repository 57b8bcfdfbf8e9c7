/**
 * A command that the user runs (`!cmd`, RPC `bash`). Source: agent-and-tools.md section E.
 */
import type { BashOperations } from "../process/local-bash-operations.js";
import { OutputAccumulator } from "./output-accumulator.js";
import { ControlStripper } from "./output-cleaning.js";

export interface BashResult {
  /** The end of the output, without escape sequences and control characters. */
  output: string;
  /** Undefined when the command was cancelled, or ended without a code. */
  exitCode: number | undefined;
  cancelled: boolean;
  truncated: boolean;
  /** File with all of the sanitised output, when `output` is only its end. */
  fullOutputPath?: string;
}

/** What the user typed behind `!` or `!!`. */
export interface UserCommand {
  command: string;
  /** `!!`: shown and kept, but never sent to a model. */
  excludeFromContext: boolean;
}

/** Reads `!command` and `!!command`; undefined for ordinary prompts, a prefix without a command among them. */
export function parseUserCommand(input: string): UserCommand | undefined {
  const prefix = /^!!?/.exec(input)?.[0];
  const command = prefix === undefined ? "" : input.slice(prefix.length).trim();
  return command === "" ? undefined : { command, excludeFromContext: prefix === "!!" };
}

export interface UserCommandOptions {
  cwd: string;
  operations: BashOperations;
  /** Shell lines put before the command. */
  commandPrefix?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Receives the sanitised output in full, as it comes. While a returned promise is pending no more is read. */
  onChunk?: ChunkListener | undefined;
}

/** Hears of output as it comes. A promise it returns is waited for before more is read. */
export type ChunkListener = (text: string) => unknown;

/**
 * Runs a command for the user. Being cancelled is a result.
 *
 * @throws what the operations reject with, other than `aborted`
 */
export async function runUserCommand(
  command: string,
  { cwd, operations, commandPrefix, signal, onChunk }: UserCommandOptions,
): Promise<BashResult> {
  if (signal?.aborted) return { output: "", exitCode: undefined, cancelled: true, truncated: false };
  const output = new OutputAccumulator({ tempFilePrefix: "pi-bash" });
  const decoder = new TextDecoder();
  const stripper = new ControlStripper();
  let returned = false;
  const take = (raw: string) => {
    const text = stripper.push(raw).replaceAll("\r", "");
    if (text === "") return undefined;
    const heard = onChunk?.(text);
    const kept = output.append(Buffer.from(text));
    return heard instanceof Promise ? Promise.all([heard, kept]).then(() => {}) : kept;
  };
  let exitCode: number | undefined;
  let cancelled = false;
  try {
    const whole = commandPrefix ? `${commandPrefix}\n${command}` : command;
    const result = await operations.exec(whole, cwd, {
      // What background children write later has no reader.
      onData: (data) => (returned ? undefined : take(decoder.decode(data, { stream: true }))),
      ...(signal && { signal }),
    });
    exitCode = result.exitCode ?? undefined;
  } catch (error) {
    cancelled = signal?.aborted === true || (error instanceof Error && error.message === "aborted");
    if (!cancelled) {
      await output.removeTempFile();
      throw error;
    }
  }
  returned = true;
  await take(decoder.decode());
  output.finish();
  const { content, truncation, fullOutputPath } = output.snapshot({ persistIfTruncated: true });
  await output.closeTempFile();
  return {
    output: content,
    exitCode,
    cancelled,
    truncated: truncation.truncated,
    ...(truncation.truncated && fullOutputPath !== undefined && { fullOutputPath }),
  };
}
