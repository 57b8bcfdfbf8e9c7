import type { Gateway } from "../gateway/gateway.js";
import { Handler } from "../handler.js";
import { OrchestratorClient } from "../ipc/client.js";
import { IpcServer } from "../ipc/server.js";
import { defaultStateFolder } from "../paths.js";
import { spawnDetached } from "../process/spawn.js";
import { defaultRestartLimits } from "../supervisor/restart-policy.js";
import { OrchestratorSupervisor, type SupervisorOptions } from "../supervisor.js";
import { UsageError, type VerbArguments } from "./arguments.js";
import { print, printError } from "./output.js";
import { pageOf } from "./page-address.js";

/** How long the orchestrator may take until it can be reached, in ms. */
const reachableWithinMs = 60_000;

/** Runs until a signal ends it. */
export async function serve(args: VerbArguments): Promise<number> {
  const port = args.number("http", 0);
  if (port !== undefined && (port > 65_535 || !Number.isInteger(port))) {
    throw new UsageError(`--http takes a port from 0 to 65535: ${port}`);
  }
  const options = optionsOf(args);
  if (args.isSet("detach")) return serveDetached();
  const served = await start(options, port);
  const { supervisor, server, gateway } = served;
  const { paths, log } = supervisor.context;
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

interface Served {
  supervisor: OrchestratorSupervisor;
  server: IpcServer;
  gateway: Gateway | undefined;
}

/** The port is ours before any agent is touched, and the socket comes last: who reaches it, reaches everything. */
async function start(options: Partial<SupervisorOptions>, port: number | undefined): Promise<Served> {
  let gateway: Gateway | undefined;
  let handler: Handler | undefined;
  const prepare = async (opened: OrchestratorSupervisor): Promise<void> => {
    handler = new Handler(opened);
    if (port === undefined) return;
    const { startGateway } = await import("../gateway/gateway.js");
    gateway = await startGateway(opened, handler, port);
    handler.gateway = gateway.url;
  };
  const supervisor = await OrchestratorSupervisor.open({ folder: defaultStateFolder(), ...options }, prepare).catch(
    (error) => {
      gateway?.close();
      throw error;
    },
  );
  const server = new IpcServer(handler ?? new Handler(supervisor));
  try {
    await server.listen(supervisor.context.paths.socket);
  } catch (error) {
    gateway?.close();
    await supervisor.close({ keepAgents: true });
    printError(`Error: ${(error as Error).message}`);
    // Sockets of holders that are left to themselves would keep this process.
    process.exit(1);
  }
  return { supervisor, server, gateway };
}

/** The same in the background, with the same options. */
async function serveDetached(): Promise<number> {
  const args = process.argv.slice(1).filter((word) => word !== "--detach");
  const { child, said } = spawnDetached(args);
  let ended = false;
  child.on("exit", () => {
    ended = true;
  });
  const client = new OrchestratorClient();
  for (const end = Date.now() + reachableWithinMs; Date.now() < end && !ended; ) {
    try {
      const hello = await client.call("hello", {});
      if (hello.pid === child.pid) {
        print(`${JSON.stringify({ ...hello, type: "serving", ...pageOf(hello.gateway) })}\n`);
        return 0;
      }
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  printError(said() || "Error: The orchestrator did not start. Run pi-orchestrator serve without --detach to see why.");
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
