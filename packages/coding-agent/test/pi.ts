import { type ChildProcess, spawn } from "node:child_process";
import {
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer, type WireApi } from "@pi/testkit";
import { afterEach } from "vitest";
import { RpcProcess } from "./rpc-process.js";

/** The bundled program. */
export const cliPath = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

export interface PiRun {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface PiOptions {
  stdin?: string;
  /** Input that does not end. */
  openStdin?: string;
  env?: Record<string, string | undefined>;
  /** Called once the process runs. */
  onStart?: (child: ChildProcess) => void;
}

/** A folder to work in, an agent directory and a scripted provider: what one end-to-end test needs. */
export class PiFixture {
  readonly home: string;
  readonly cwd: string;
  readonly agentDir: string;
  readonly server: ScriptedServer;
  readonly #children: RpcProcess[] = [];

  readonly #api: WireApi;
  #owner: { uid: number; gid: number } | undefined;

  private constructor(server: ScriptedServer, api: WireApi) {
    this.server = server;
    this.#api = api;
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "pi-e2e-")));
    this.cwd = join(this.home, "project");
    this.agentDir = join(this.home, "agent");
    mkdirSync(this.cwd);
    mkdirSync(this.agentDir);
  }

  /** Provider `scripted` with the model `m1` speaks `api` to a server that follows the script. */
  static async start(
    script: ScriptedServerOptions["script"],
    { api = "anthropic-messages", ...options }: Omit<ScriptedServerOptions, "script"> & { api?: WireApi } = {},
  ): Promise<PiFixture> {
    const fixture = new PiFixture(await startScriptedServer({ ...options, ...(script && { script }) }), api);
    fixture.configureModel({});
    // A failure shall be seen at once; what retries do has tests of its own.
    fixture.configure("settings.json", JSON.stringify({ retry: { enabled: false } }));
    return fixture;
  }

  /** Writes models.json with the model `m1`, which these fields add to. */
  configureModel(fields: object): void {
    this.configureModels([{ id: "m1", ...fields }]);
  }

  configureModels(list: readonly object[]): void {
    const models = list.map((model) => ({ reasoning: false, input: ["text", "image"], ...model }));
    const scripted = { api: this.#api, baseUrl: this.server.baseUrl(this.#api), apiKey: "test-key", models };
    this.configure("models.json", JSON.stringify({ providers: { scripted } }));
  }

  /** Writes a file of the agent directory. */
  configure(name: string, text: string): void {
    writeFileSync(join(this.agentDir, name), text);
  }

  /** Writes a file of the project and returns its path. */
  write(name: string, content: string | Buffer): string {
    const path = join(this.cwd, name);
    writeFileSync(path, content);
    return path;
  }

  /** Lines of the only session file. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what is there
  sessionEntries(): any[] {
    const root = join(this.agentDir, "sessions");
    const [file, ...others] = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".jsonl"),
    );
    if (!file || others.length > 0) throw new Error(`expected one session file: ${[file, ...others].join(", ")}`);
    return readFileSync(join(root, file), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  /** From now on the program runs with the rights of nobody in particular: root may read and write anything. */
  dropRights(): void {
    if (process.getuid?.() !== 0) return;
    const owner = { uid: 65534, gid: 65534 };
    this.#owner = owner;
    const paths = readdirSync(this.home, { recursive: true, encoding: "utf8" });
    for (const path of ["", ...paths]) lchownSync(join(this.home, path), owner.uid, owner.gid);
  }

  /** Runs the program with the scripted model. */
  pi(args: string[], options: PiOptions = {}): Promise<PiRun> {
    return this.run(["--model", "scripted/m1", ...args], options);
  }

  /** Runs the program with these arguments alone. */
  run(args: string[], { stdin, openStdin, env = {}, onStart }: PiOptions = {}): Promise<PiRun> {
    const child = spawn(process.execPath, [cliPath, ...args], {
      cwd: this.cwd,
      env: { ...cleanEnvironment(), HOME: this.home, PI_CODING_AGENT_DIR: this.agentDir, ...env },
      ...this.#owner,
      stdio: [(stdin ?? openStdin) === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    if (openStdin !== undefined) child.stdin?.write(openStdin);
    else child.stdin?.end(stdin);
    onStart?.(child);
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ stdout, stderr, code, signal }));
    });
  }

  /** Starts RPC mode with the scripted model. */
  rpc(args: string[] = [], env: Record<string, string | undefined> = {}): RpcProcess {
    const child = spawn(process.execPath, [cliPath, "--mode", "rpc", "--model", "scripted/m1", ...args], {
      cwd: this.cwd,
      env: { ...cleanEnvironment(), HOME: this.home, PI_CODING_AGENT_DIR: this.agentDir, ...env },
      ...this.#owner,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const process_ = new RpcProcess(child);
    this.#children.push(process_);
    return process_;
  }

  async close(): Promise<void> {
    for (const child of this.#children) await child.kill();
    await this.server.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Starts fixtures of a test file; each is closed after its test. */
export function usePi(): (...options: Parameters<typeof PiFixture.start>) => Promise<PiFixture> {
  let fixture: PiFixture | undefined;
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
  });
  return async (...options) => {
    fixture = await PiFixture.start(...options);
    return fixture;
  };
}

/** Nothing of the developer's own keys, settings, skills, proxies or model servers. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const { PATH, TMPDIR, SystemRoot } = process.env;
  return { PATH, TMPDIR, SystemRoot, PI_LOCAL_SERVERS: "" };
}
