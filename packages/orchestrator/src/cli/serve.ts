import { Handler } from "../handler.js";
import { OrchestratorClient } from "../ipc/client.js";
import { IpcServer } from "../ipc/server.js";
import { defaultStateFolder } from "../paths.js";
import { spawnDetached } from "../process/spawn.js";
import { defaultRestartLimits } from "../supervisor/restart-policy.js";
import { OrchestratorSupervisor, type SupervisorOptions } from "../supervisor.js";
import type { VerbArguments } from "./arguments.js";
import { print, printError } from "./output.js";

/** How long the orchestrator may take until it can be reached, in ms. */
const reachableWithinMs = 60_000;

/** Runs until a signal ends it. */
export async function serve(args: VerbArguments): Promise<number> {
  if (args.isSet("detach")) return serveDetached();
  const folder = defaultStateFolder();
  const supervisor = await OrchestratorSupervisor.open({ folder, ...optionsOf(args) });
  const { paths, log } = supervisor.context;
  const handler = new Handler(supervisor);
  const server = new IpcServer(handler);
  await server.listen(paths.socket);
  const port = args.number("http", 0);
  const gateway =
    port === undefined
      ? undefined
      : await (await import("../gateway/gateway.js")).startGateway(supervisor, handler, port);
  handler.gateway = gateway?.url;
  print(
    `${JSON.stringify({ type: "serving", socket: paths.socket, pid: process.pid, ...(gateway && { gateway: gateway.pageUrl }) })}\n`,
  );

  return new Promise((resolve) => {
    const end = async (code: number): Promise<void> => {
      server.close();
      gateway?.close();
      await supervisor.close({ keepAgents: args.isSet("keep-agents") });
      resolve(code);
      // Sockets of holders that are left to themselves would keep this process.
      setImmediate(() => process.exit(code));
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
    process.on("uncaughtException", (error) => {
      log.write("error", "uncaught", { error: String(error.stack) });
      printError(`Error: ${error.message}`);
      void end(1);
    });
  });
}

/** The same in the background, with the same options. */
async function serveDetached(): Promise<number> {
  const args = process.argv.slice(1).filter((word) => word !== "--detach");
  const child = spawnDetached(args);
  let ended = false;
  child.on("exit", () => {
    ended = true;
  });
  const client = new OrchestratorClient();
  for (const end = Date.now() + reachableWithinMs; Date.now() < end && !ended; ) {
    try {
      const hello = await client.call("hello", {});
      if (hello.pid === child.pid) {
        print(`${JSON.stringify({ ...hello, type: "serving" })}\n`);
        return 0;
      }
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  printError("Error: The orchestrator did not start. Run pi-orchestrator serve without --detach to see why.");
  return 1;
}

function optionsOf(args: VerbArguments): Partial<SupervisorOptions> {
  const failures = args.number("give-up");
  const baseMs = args.number("restart-wait", 0);
  const maxInstances = args.number("max-instances");
  const memoryMb = args.number("memory");
  const idleSeconds = args.number("idle", 0);
  const healthSeconds = args.number("health-interval", 0.1);
  const healthTimeout = args.number("health-timeout", 0.1);
  const spareHolders = args.number("spares", 0);
  return {
    restart: {
      ...defaultRestartLimits,
      ...(failures !== undefined && { failures }),
      ...(baseMs !== undefined && { baseMs }),
    },
    ...(maxInstances !== undefined && { maxInstances }),
    ...(memoryMb !== undefined && { memoryMb }),
    ...(idleSeconds !== undefined && { idleSeconds }),
    ...(healthSeconds !== undefined && { healthIntervalMs: healthSeconds * 1000 }),
    ...(healthTimeout !== undefined && { healthTimeoutMs: healthTimeout * 1000 }),
    ...(spareHolders !== undefined && { spareHolders }),
  };
}
