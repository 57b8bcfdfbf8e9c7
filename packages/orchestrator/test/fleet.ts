import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from "@pi/testkit";
import { afterEach } from "vitest";
import { OrchestratorClient } from "../src/ipc/client.js";
import type { InstanceRecord, PromptRecord, PromptState, SpawnOptions } from "../src/types.js";

/** The bundled program. */
export const cliPath = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** How long a test waits for what must come: the machine may be busy. */
const patienceMs = 60_000;

export interface Run {
  stdout: string;
  stderr: string;
  code: number | null;
}

/** A supervisor of the bundled program, as a process. */
export class Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<number | null>;
  stderr = "";
  serving: { socket: string; pid: number; gateway?: string } | undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    this.exit = new Promise((resolve) => child.on("close", (code) => resolve(code)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  /** As a crash would. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exit;
  }

  async end(): Promise<number | null> {
    this.child.kill("SIGTERM");
    return this.exit;
  }
}

/** A state folder, a project, a scripted model, and supervisors of the bundled program. */
export class Fleet {
  readonly home: string;
  readonly cwd: string;
  readonly state: string;
  readonly agentDir: string;
  readonly model: ScriptedServer;
  readonly client: OrchestratorClient;
  #served: Served | undefined;

  private constructor(model: ScriptedServer) {
    this.model = model;
    // Short: sockets lie in it.
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "po-")));
    this.cwd = join(this.home, "project");
    this.state = join(this.home, "state");
    this.agentDir = join(this.home, "agent");
    for (const folder of [this.cwd, this.agentDir]) mkdirSync(folder);
    const scripted = {
      api: "anthropic-messages",
      baseUrl: model.baseUrl("anthropic-messages"),
      apiKey: "k",
      models: [{ id: "m1" }],
    };
    writeFileSync(join(this.agentDir, "models.json"), JSON.stringify({ providers: { scripted } }));
    writeFileSync(
      join(this.agentDir, "settings.json"),
      JSON.stringify({ defaultProvider: "scripted", defaultModel: "m1", retry: { enabled: false } }),
    );
    this.client = new OrchestratorClient(this.state);
  }

  static async start(script: ScriptedServerOptions["script"]): Promise<Fleet> {
    return new Fleet(await startScriptedServer({ ...(script && { script }), acceptSignatures: "any" }));
  }

  get env(): NodeJS.ProcessEnv {
    const { PATH, TMPDIR } = process.env;
    return {
      PATH,
      ...(TMPDIR !== undefined && { TMPDIR }),
      HOME: this.home,
      PI_CODING_AGENT_DIR: this.agentDir,
      PI_ORCHESTRATOR_DIR: this.state,
      PI_LOCAL_SERVERS: "",
    };
  }

  /** For every agent from now on: the body of a function of `pi`. */
  addExtension(body: string): void {
    const folder = join(this.agentDir, "extensions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "of-test.js"), `export default (pi) => {\n${body}\n};\n`);
  }

  get served(): Served {
    if (!this.#served) throw new Error("no supervisor was started");
    return this.#served;
  }

  /** Starts a supervisor and waits until it can be reached. */
  async serve(...args: string[]): Promise<Served> {
    const child = spawn(process.execPath, [cliPath, "serve", "--restart-wait", "100", ...args], {
      cwd: this.cwd,
      env: this.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const served = new Served(child);
    this.#served = served;
    await new Promise<void>((resolve, reject) => {
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (!output.includes("\n")) return;
        served.serving = JSON.parse(output);
        resolve();
      });
      void served.exit.then((code) => reject(new Error(`serve ended with ${code}: ${served.stderr}`)));
    });
    return served;
  }

  /** Runs `pi-orchestrator` with these arguments. */
  run(args: readonly string[], stdin?: string): Promise<Run> {
    const child = this.open(args);
    child.stdin.end(stdin);
    const run: Run = { stdout: "", stderr: "", code: null };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      run.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      run.stderr += text;
    });
    return new Promise((resolve) => child.on("close", (code) => resolve({ ...run, code })));
  }

  open(args: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [cliPath, ...args], {
      cwd: this.cwd,
      env: this.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
  }

  async spawn(options: Partial<SpawnOptions> = {}): Promise<InstanceRecord> {
    const { instance } = await this.client.call("spawn", { cwd: this.cwd, ...options });
    return instance;
  }

  async record(instanceId: string): Promise<InstanceRecord> {
    return (await this.client.call("status", { instanceId })).instance;
  }

  /** One command of the agent's protocol; its response. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what is there
  async rpc(instanceId: string, command: { type: string; [field: string]: unknown }): Promise<any> {
    return (await this.client.call("rpc", { instanceId, command })).response;
  }

  /** Waits until the record is so. */
  async until(instanceId: string, fits: (record: InstanceRecord) => boolean, what: string): Promise<InstanceRecord> {
    let record: InstanceRecord | undefined;
    return eventually(
      async () => {
        record = await this.record(instanceId);
        return fits(record) ? record : undefined;
      },
      () => `${what}: ${JSON.stringify(record)}`,
    );
  }

  async untilPrompt(instanceId: string, promptId: string, ...states: PromptState[]): Promise<PromptRecord> {
    let seen: PromptRecord | undefined;
    return eventually(
      async () => {
        const { prompts } = await this.client.call("prompts", { instanceId });
        seen = prompts.find((prompt) => prompt.promptId === promptId);
        return seen && states.includes(seen.state) ? seen : undefined;
      },
      () => `prompt ${states}: ${JSON.stringify(seen)}`,
    );
  }

  /** Texts of the user's messages in a session. */
  userTexts(record: InstanceRecord): string[] {
    return readFileSync(record.sessionFile ?? "", "utf8")
      .split("\n")
      .filter((line) => line.includes('"role":"user"'))
      .map((line) => JSON.parse(line).message.content[0].text);
  }

  /** Processes of this fleet's agents and holders. */
  processes(): { pid: number; command: string }[] {
    return processesWith(`PI_ORCHESTRATOR_DIR=${this.state}`).filter(({ pid }) => pid !== this.#served?.child.pid);
  }

  /** Holders need a moment to end. */
  async untilEmpty(): Promise<void> {
    await eventually(
      () => (this.processes().length === 0 ? true : undefined),
      () => `the end of ${JSON.stringify(this.processes())}`,
    );
  }

  async close(): Promise<void> {
    if (this.#served && this.#served.child.exitCode === null && this.#served.child.signalCode === null) {
      await this.#served.end();
    }
    for (const { pid } of this.processes()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
    await this.model.close();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Processes that have this in their environment. */
function processesWith(text: string): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(text)) return [];
        return [{ pid, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }];
      } catch {
        return [];
      }
    });
}

/** Asks again until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined> | T | undefined, what: () => string): Promise<T> {
  for (const end = Date.now() + patienceMs; ; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Starts fleets of a test file; each is closed after its test. */
export function useFleet(): (script?: ScriptedServerOptions["script"]) => Promise<Fleet> {
  const fleets: Fleet[] = [];
  afterEach(async () => {
    for (const fleet of fleets.splice(0)) await fleet.close();
  });
  return async (script = () => ({ blocks: [{ type: "text", text: "scripted answer" }] })) => {
    const fleet = await Fleet.start(script);
    fleets.push(fleet);
    return fleet;
  };
}
