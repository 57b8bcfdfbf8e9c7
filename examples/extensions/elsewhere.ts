/**
 * The agent here, the project elsewhere: files and commands of the tools, and your own `!` commands, over SSH.
 * Start: `pi -e elsewhere.ts --on me@host:/srv/project`. Keys must work without a password.
 */
import { spawn } from "node:child_process";
import {
  type BashOperations,
  createBashToolDefinition,
  createEditToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
  type ExtensionAPI,
} from "@earendil-works/pi-coding-agent";

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export default function elsewhere(pi: ExtensionAPI) {
  pi.registerFlag("on", { type: "string", description: "Work on host:/folder instead of here" });
  /** Where commands of the user run, once it is known. */
  let operations: BashOperations | undefined;

  pi.on("session_start", (_event, ctx) => {
    const [, host, folder] = /^([^:]+):(\/.*)$/.exec(String(pi.getFlag("on") ?? "")) ?? [];
    if (!host || !folder) return;
    /** The tools think of local paths; the far side has the same ones below another folder. */
    const there = (path: string) => path.replace(ctx.cwd, folder);

    const run = (
      command: string,
      input?: string,
      options: { onData?: (data: Buffer) => unknown; signal?: AbortSignal } = {},
    ) =>
      new Promise<{ output: Buffer; code: number | null }>((resolve, reject) => {
        const child = spawn("ssh", [host, command], { signal: options.signal });
        const chunks: Buffer[] = [];
        for (const stream of [child.stdout, child.stderr]) {
          stream.on("data", (data: Buffer) => (options.onData ? options.onData(data) : chunks.push(data)));
        }
        child.on("error", reject);
        child.on("close", (code) => resolve({ output: Buffer.concat(chunks), code }));
        child.stdin.end(input);
      });
    const must = async (command: string, input?: string) => {
      const { output, code } = await run(command, input);
      if (code !== 0) throw new Error(`${host}: ${output.toString().trim()}`);
      return output;
    };
    const readFile = (path: string) => must(`cat ${quote(there(path))}`);
    const access = async (path: string) => void (await must(`test -r ${quote(there(path))}`));
    const writeFile = async (path: string, text: string) => void (await must(`cat > ${quote(there(path))}`, text));
    const mkdir = async (path: string) => void (await must(`mkdir -p ${quote(there(path))}`));
    operations = {
      async exec(command, cwd, { onData, signal }) {
        const line = `cd ${quote(there(cwd))} && ${command}`;
        const { code } = await run(line, undefined, { onData, ...(signal && { signal }) });
        return { exitCode: code };
      },
    };
    pi.registerTool(createReadToolDefinition(ctx.cwd, { operations: { readFile, access } }));
    pi.registerTool(createWriteToolDefinition(ctx.cwd, { operations: { writeFile, mkdir } }));
    pi.registerTool(createEditToolDefinition(ctx.cwd, { operations: { readFile, writeFile, access } }));
    pi.registerTool(createBashToolDefinition(ctx.cwd, { operations }));
    ctx.ui.setStatus("elsewhere", `on ${host}`);
  });

  pi.on("user_bash", () => operations && { operations });
}
