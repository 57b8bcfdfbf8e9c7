import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RecordedRequest, type ScriptedServer, startScriptedServer } from "@pi/testkit";
import { cleanEnvironment, cliPath } from "../pi.js";

/** What a row finds: `$CWD`, `$AGENT` and `$HOME` in its words and files stand for these. */
export interface Place {
  home: string;
  cwd: string;
  agentDir: string;
}

/** One row of the specification of the command line: words in; exit code, stdout and stderr out. */
export interface Row {
  /** What the row is about, where its words do not say it. */
  about?: string;
  words: string[];
  stdin?: string;
  /** Files of the project. */
  files?: Record<string, string>;
  /** Files of the agent directory. */
  agent?: Record<string, string>;
  env?: Record<string, string>;
  /** Anything else that has to be there. */
  prepare?: (place: Place) => void;
  /** Without the model `scripted/m1` in models.json and as the default. */
  bare?: true;
  /** Default 0. */
  code?: number;
  /** Whole. Default: nothing. The model answers with what it was asked. */
  stdout?: string | RegExp;
  /** Whole. Default: nothing. */
  stderr?: string | RegExp;
  /** Looks at the last request of the model. */
  request?: (request: RecordedRequest) => unknown;
  /** Of `request`. */
  requested?: unknown;
  /** Looks at what is left. */
  after?: (place: Place) => unknown;
  /** Of `after`. */
  left?: unknown;
}

export interface RowResult {
  code: number | null;
  stdout: string;
  stderr: string;
  requests: RecordedRequest[];
  left: unknown;
}

/** A section of the specification. */
export interface Section {
  title: string;
  rows: Row[];
}

/** Two at a time: the machine may have no more cores. */
const PARALLEL = 2;

/** Runs rows against the bundled program, each in folders of its own, all with one server. */
export class RowRunner {
  readonly #server: ScriptedServer;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "pi-rows-")));

  private constructor(server: ScriptedServer) {
    this.#server = server;
  }

  static async start(): Promise<RowRunner> {
    const server = await startScriptedServer({
      script: ({ conversation }) => {
        const last = conversation.turns.at(-1);
        return { blocks: [{ type: "text", text: last?.role === "user" ? last.text : "?" }] };
      },
    });
    return new RowRunner(server);
  }

  /** Begins all rows; their results come one after the other. */
  run(rows: readonly Row[]): Promise<RowResult>[] {
    const queue = rows.map((row, index) => ({ row, index }));
    const settle: ((result: Promise<RowResult>) => void)[] = [];
    const results = rows.map((_, index) => {
      return new Promise<RowResult>((resolve) => {
        settle[index] = resolve;
      });
    });
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const result = this.#one(next.row, next.index);
        settle[next.index]?.(result);
        await result.catch(() => undefined);
      }
    };
    for (let count = 0; count < PARALLEL; count++) void worker();
    return results;
  }

  async close(): Promise<void> {
    await this.#server.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #one(row: Row, index: number): Promise<RowResult> {
    const home = join(this.#root, String(index));
    const place: Place = { home, cwd: join(home, "project"), agentDir: join(home, "agent") };
    const { cwd, agentDir } = place;
    for (const folder of [cwd, agentDir]) mkdirSync(folder, { recursive: true });
    const fill = (text: string) =>
      text.replaceAll("$CWD", cwd).replaceAll("$AGENT", agentDir).replaceAll("$HOME", home);
    const mark = `row-${index}`;
    if (!row.bare) writeFileSync(join(agentDir, "models.json"), this.#models(mark));
    const settings = {
      retry: { enabled: false },
      ...(!row.bare && { defaultProvider: "scripted", defaultModel: "m1" }),
    };
    writeFileSync(join(agentDir, "settings.json"), JSON.stringify(settings));
    for (const [folder, files] of [
      [agentDir, row.agent],
      [cwd, row.files],
    ] as const) {
      for (const [name, text] of Object.entries(files ?? {})) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), fill(text));
      }
    }
    row.prepare?.(place);
    const env = Object.fromEntries(Object.entries(row.env ?? {}).map(([name, value]) => [name, fill(value)]));
    const child = spawn(process.execPath, [cliPath, ...row.words.map(fill)], {
      cwd,
      env: { ...cleanEnvironment(), HOME: home, PI_CODING_AGENT_DIR: agentDir, ...env },
      stdio: [row.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    child.stdin?.end(row.stdin);
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    const shown = (text: string) =>
      text.replaceAll(cwd, "$CWD").replaceAll(agentDir, "$AGENT").replaceAll(home, "$HOME");
    const requests = this.#server.requests.filter(({ headers }) => headers["x-row"] === mark);
    return { code, stdout: shown(stdout), stderr: shown(stderr), requests, left: row.after?.(place) };
  }

  #models(mark: string): string {
    const model = { reasoning: true, input: ["text", "image"] };
    const scripted = {
      api: "anthropic-messages",
      baseUrl: this.#server.baseUrl("anthropic-messages"),
      apiKey: "test-key",
      headers: { "x-row": mark },
      models: [
        { id: "m1", ...model },
        { id: "second-model", ...model },
      ],
    };
    return JSON.stringify({ providers: { scripted } });
  }
}
