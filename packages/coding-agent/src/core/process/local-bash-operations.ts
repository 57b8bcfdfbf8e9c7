/**
 * Commands on this machine. Source: agent-and-tools.md B2 (local backend, end of command) and F15-F18.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants as osConstants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { getShellEnvironment, markEnvironment } from "./environment.js";
import { killTree } from "./kill-tree.js";
import { outputsOf } from "./process-table.js";
import { getPowerShellConfig, getShellConfig, type ShellConfig } from "./shell.js";
import { trackProcess } from "./tracked-processes.js";

export interface BashExecOptions {
  /** Called with stdout and stderr as they arrive. While a returned promise is pending no more is read. */
  onData: (data: Buffer) => void | Promise<void>;
  signal?: AbortSignal | undefined;
  /** Seconds; none by default. */
  timeout?: number | undefined;
  /** Default: the environment of this process with the agent's programs on PATH. */
  env?: NodeJS.ProcessEnv | undefined;
}

export interface BashExecResult {
  /** `128 + n` when ended by signal n. */
  exitCode: number | null;
  /**
   * Set when children of the ended shell still wrote: `onData` goes on being called until this resolves, at their
   * end. It does not keep the program running.
   */
  stillWriting?: Promise<void> | undefined;
}

/**
 * Where commands run. `exec` rejects with the message `aborted` or `timeout:<seconds>` when it ended the command, and
 * with any other error when it could not run it.
 */
export interface BashOperations {
  exec(command: string, cwd: string, options: BashExecOptions): Promise<BashExecResult>;
}

/** Rejection of a command that ran out of time. */
export class BashTimeoutError extends Error {
  readonly code = "timeout";
  constructor(
    seconds: number,
    /** Set when the shell itself had ended before, and only its children were still writing. */
    readonly shell?: { exitCode: number; seconds: number },
  ) {
    super(`timeout:${seconds}`);
  }
}

/** Output has ended when this long nothing came after the shell's exit, in ms. */
const IDLE_MS = 100;
/**
 * Children that keep writing after the shell's exit are waited for this long, in ms: long enough for what comes behind
 * a pipe, short enough that whoever starts a server goes on within a second.
 */
const LINGER_MS = 700;
const MAX_TIMEOUT_SECONDS = 2147483.647;

/** Linux takes no argument of 128 KiB or more; what is longer reaches the shell through a pipe of its own. */
const MAX_ARGUMENT_BYTES = 120 * 1024;
/** The command is read before `eval` begins, so that it finds the pipe closed and stdin empty as always. */
const EVAL_FROM_PIPE = 'eval "exec 3<&-\n$(cat <&3)"';

/** Runs commands with the local shell, each in a process group of its own. */
export function createLocalBashOperations(options: { shellPath?: string | undefined } = {}): BashOperations {
  return shellOperations("bash", () => getShellConfig(options.shellPath));
}

/** Runs commands with PowerShell. Away from Windows every command is refused. */
export function createLocalPowerShellOperations(): BashOperations {
  return shellOperations("PowerShell", getPowerShellConfig);
}

function shellOperations(name: string, config: () => ShellConfig): BashOperations {
  return {
    async exec(command, cwd, execOptions) {
      checkTimeout(execOptions.timeout);
      if (command.includes("\0")) {
        throw new Error(
          "Invalid command: it contains a NUL character, which no shell takes. Write it as printf '\\0'.",
        );
      }
      if (execOptions.signal?.aborted) throw new Error("aborted");
      if (!existsSync(cwd)) {
        throw new Error(`Working directory does not exist: ${cwd}\nCannot execute ${name} commands.`);
      }
      const { shell, args, commandTransport } = config();
      const onStdin = commandTransport === "stdin";
      const onPipe = !onStdin && process.platform !== "win32" && Buffer.byteLength(command) > MAX_ARGUMENT_BYTES;
      const commandArgs = onStdin ? args : [...args, onPipe ? EVAL_FROM_PIPE : command];
      const { env, mark } = markEnvironment(execOptions.env ?? getShellEnvironment());
      const child = spawn(shell, commandArgs, {
        cwd,
        env,
        detached: process.platform !== "win32",
        stdio: [onStdin ? "pipe" : "ignore", "pipe", "pipe", ...(onPipe ? ["pipe" as const] : [])],
        windowsHide: true,
      });
      const commandPipe = onStdin ? child.stdin : onPipe ? (child.stdio[3] as Writable | null) : null;
      // A shell that ends before it has read the command says so itself.
      commandPipe?.on("error", () => undefined).end(command);
      return watch(child, mark, execOptions);
    },
  };
}

function checkTimeout(timeout: number | undefined): void {
  if (timeout === undefined) return;
  if (!Number.isFinite(timeout) || timeout <= 0) {
    throw new Error("Invalid timeout: must be a finite number of seconds");
  }
  if (timeout > MAX_TIMEOUT_SECONDS) {
    throw new Error(`Invalid timeout: maximum is ${MAX_TIMEOUT_SECONDS} seconds`);
  }
}

/** Follows a started shell to the end of its output, an abort or the timeout. */
async function watch(child: ChildProcess, mark: string, options: BashExecOptions): Promise<BashExecResult> {
  const { signal, timeout } = options;
  const started = performance.now();
  const exited = exitOf(child);
  const { pid } = child;
  if (pid === undefined) return { exitCode: await exited };

  // Now, while the shell has both as it was given them.
  const tree = { pid, mark, outputs: outputsOf(pid) };
  const untrack = trackProcess(tree, () => onAbort());
  const output = new OutputPipes(child, options.onData);
  let shellEnd: { exitCode: number; seconds: number } | undefined;
  void exited.then(
    (exitCode) => {
      shellEnd = { exitCode, seconds: (performance.now() - started) / 1000 };
    },
    () => undefined,
  );
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const interrupted = new Promise<Error>((resolve) => {
    if (timeout !== undefined) {
      timer = setTimeout(() => resolve(new BashTimeoutError(timeout, shellEnd)), timeout * 1000);
    }
    onAbort = () => resolve(new Error("aborted"));
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
  const finished = exited.then(async (exitCode): Promise<BashExecResult> => {
    const end = await output.settled(LINGER_MS);
    return end === "writing" ? { exitCode, stillWriting: output.ended } : { exitCode };
  });
  try {
    const outcome = await Promise.race([finished, interrupted]);
    if (!(outcome instanceof Error)) {
      output.release(outcome.stillWriting !== undefined);
      child.unref();
      return outcome;
    }
    await killTree(tree);
    await exited;
    // What the processes wrote last is still in the pipes.
    await output.settled(IDLE_MS);
    output.destroy();
    throw outcome;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    finished.catch(() => undefined);
    untrack();
  }
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      resolve(code ?? 128 + (signal ? osConstants.signals[signal] : 0));
    });
  });
}

/** Pipes of children are sockets, which can be left without keeping the program running. */
type Pipe = Readable & { unref(): void };

/** Both output pipes of a child as one stream that can be paused, waited for, and left to drain. */
class OutputPipes {
  /** Resolves when both pipes have ended. */
  readonly ended: Promise<void>;
  private readonly pipes: Pipe[];
  private open: number;
  private lastData = performance.now();
  private waiting = 0;
  private discard = false;

  constructor(
    child: ChildProcess,
    private readonly onData: BashExecOptions["onData"],
  ) {
    this.pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null) as Pipe[];
    this.open = this.pipes.length;
    this.ended = new Promise((resolve) => {
      const close = () => {
        this.open--;
        if (this.open === 0) resolve();
      };
      for (const pipe of this.pipes) {
        pipe.on("data", (data: Buffer) => this.take(data));
        pipe.on("error", () => undefined);
        pipe.once("close", close);
      }
      if (this.open === 0) resolve();
    });
  }

  /**
   * Waits until the pipes have ended or nothing came for a while.
   *
   * @param limit ms after which waiting ends anyway
   */
  async settled(limit: number): Promise<"ended" | "idle" | "writing"> {
    const deadline = performance.now() + limit;
    this.lastData = performance.now();
    for (;;) {
      const now = performance.now();
      const idleAt = this.waiting > 0 ? Number.POSITIVE_INFINITY : this.lastData + IDLE_MS;
      if (now >= idleAt) {
        // Timers run before pipes are read: after a blocked moment data may be waiting unseen.
        const seen = this.lastData;
        await new Promise((resolve) => setImmediate(resolve));
        if (this.lastData === seen) return "idle";
        continue;
      }
      if (now >= deadline && this.waiting === 0) return "writing";
      const pause = Math.max(1, Math.min(idleAt, Math.max(deadline, now + 10)) - now);
      if (await endsWithin(this.ended, pause)) return "ended";
    }
  }

  /** Lets go of the pipes without closing them, so that background children are not ended by a broken pipe. */
  release(keep: boolean): void {
    this.discard = !keep;
    for (const pipe of this.pipes) pipe.unref();
  }

  destroy(): void {
    for (const pipe of this.pipes) pipe.destroy();
  }

  private take(data: Buffer): void {
    this.lastData = performance.now();
    if (this.discard) return;
    const pending = this.onData(data);
    if (!pending) return;
    this.waiting++;
    for (const pipe of this.pipes) pipe.pause();
    const resume = () => {
      this.waiting--;
      this.lastData = performance.now();
      if (this.waiting > 0) return;
      for (const pipe of this.pipes) pipe.resume();
    };
    pending.then(resume, resume);
  }
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([ended.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
