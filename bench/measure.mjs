// Timing on a shared machine: all candidates of a bench take turns in one run, and medians are compared.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * @typedef {object} Sample
 * @property {number} ms
 * @property {number} [peakMb] peak resident memory, where the system tells it
 */

/**
 * Runs the candidates in turn, `rounds` times each after one unmeasured round.
 *
 * @param {Record<string, () => Promise<Sample>>} candidates
 * @param {number} rounds
 * @returns {Promise<Record<string, Sample>>} medians by name
 */
export async function inTurn(candidates, rounds) {
  /** @type {Record<string, Sample[]>} */
  const samples = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of Object.entries(candidates)) {
      const sample = await measure();
      if (round > 0) samples[name] = [...(samples[name] ?? []), sample];
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => {
      const peaks = list.flatMap(({ peakMb }) => (peakMb === undefined ? [] : [peakMb]));
      return [name, { ms: median(list.map(({ ms }) => ms)), ...(peaks.length > 0 && { peakMb: median(peaks) }) }];
    }),
  );
}

/**
 * Starts a program and waits for its end.
 *
 * @param {string[]} command program and arguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdin?: string }} [options]
 * @returns {Promise<Sample & { startedAt: number, code: number | null, stdout: string, stderr: string }>}
 */
export function runProgram(command, { cwd, env, stdin } = {}) {
  const [program = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const startedAt = Date.now();
    const started = performance.now();
    const child = spawn(program, args, {
      cwd,
      env: env ?? process.env,
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    child.stdin?.end(stdin);
    const stopWatching = watchPeak(child.pid);
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk) => (stdout += chunk));
    child.stderr?.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("exit", () => {
      const ms = performance.now() - started;
      const peakMb = stopWatching();
      child.on("close", (code) => {
        resolve({ ms, ...(peakMb !== undefined && { peakMb }), startedAt, code, stdout, stderr });
      });
    });
  });
}

/**
 * Reads the kernel's own high-water mark every few ms until asked for it. Linux only.
 * @param {number | undefined} pid
 */
function watchPeak(pid) {
  /** @type {number | undefined} */
  let peak;
  const read = () => {
    try {
      const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      if (kb) peak = Number(kb) / 1024;
    } catch {
      // Ended between two looks, or another system.
    }
  };
  const timer = setInterval(read, 2);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
