/**
 * What children inherit. Source: agent-and-tools.md B2 (Env).
 */
import { randomBytes } from "node:crypto";
import { delimiter, join } from "node:path";
import { getAgentDir } from "../../config.js";

/** What a model-called command may know of its session. */
export interface SessionEnvironment {
  readonly sessionId?: string | undefined;
  /** Only of sessions that are kept on disk. */
  readonly sessionFile?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly reasoningLevel?: string | undefined;
}

/** Each variable and its source. */
const SESSION_VARIABLES = {
  PI_SESSION_ID: "sessionId",
  PI_SESSION_FILE: "sessionFile",
  PI_PROVIDER: "provider",
  PI_MODEL: "model",
  PI_REASONING_LEVEL: "reasoningLevel",
} as const satisfies Record<string, keyof SessionEnvironment>;

/** The agent's own directory of programs. */
export function getBinDir(): string {
  return join(getAgentDir(), "bin");
}

/** The process environment with the agent's programs first on PATH. */
export function getShellEnvironment(base: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const key = Object.keys(base).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const path = base[key] ?? "";
  const bin = getBinDir();
  if (path.split(delimiter).includes(bin)) return { ...base };
  return { ...base, [key]: path === "" ? bin : `${bin}${delimiter}${path}` };
}

/**
 * The environment of a command called by a model: inherited session variables are those of another session and go;
 * the given ones are set.
 */
export function getCommandEnvironment(
  session: SessionEnvironment | undefined,
  base: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const env = getShellEnvironment(base);
  for (const [name, field] of Object.entries(SESSION_VARIABLES)) {
    delete env[name];
    const value = session?.[field];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Names the command that a process belongs to; nested agents append theirs. */
const COMMAND_MARK = "PI_COMMAND_ID";

/** An environment that everything a command starts inherits, and the mark to find it by. */
export function markEnvironment(env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; mark: string } {
  const mark = randomBytes(8).toString("hex");
  const outer = env[COMMAND_MARK];
  return { env: { ...env, [COMMAND_MARK]: outer ? `${outer}:${mark}` : mark }, mark };
}
