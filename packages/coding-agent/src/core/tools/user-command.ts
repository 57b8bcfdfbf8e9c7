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

export interface UserCommandOptions {
  cwd: string;
  operations: BashOperations;
  signal?: AbortSignal | undefined;
  /** Receives the sanitised output in full, as it comes. */
  onChunk?: ((text: string) => void) | undefined;
}

/**
 * Runs a command for the user. Being cancelled is a result.
 *
 * @throws what the operations reject with, other than `aborted`
 */
export async function runUserCommand(
  command: string,
  { cwd, operations, signal, onChunk }: UserCommandOptions,
): Promise<BashResult> {
  const output = new OutputAccumulator({ tempFilePrefix: "pi-bash" });
  const decoder = new TextDecoder();
  const stripper = new ControlStripper();
  let returned = false;
  const take = (raw: string) => {
    const text = stripper.push(raw).replaceAll("\r", "");
    if (text === "") return undefined;
    onChunk?.(text);
    return output.append(Buffer.from(text));
  };
  let exitCode: number | undefined;
  let cancelled = false;
  try {
    const result = await operations.exec(command, cwd, {
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
