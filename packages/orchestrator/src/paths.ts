import { createHash, randomBytes } from "node:crypto";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where everything of one supervisor lies. */
export interface StatePaths {
  folder: string;
  socket: string;
  lock: string;
  table: string;
  machine: string;
  token: string;
  log: string;
}

/** `PI_ORCHESTRATOR_DIR`, else `(PI_CONFIG_DIR || ~/.pi)/orchestrator`. Source: cli-and-config.md section 10.1. */
export function defaultStateFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env["PI_ORCHESTRATOR_DIR"] || join(env["PI_CONFIG_DIR"] || join(home(), ".pi"), "orchestrator");
}

/** Where HOME is empty the system says what it is: nothing is to lie wherever somebody stands. */
function home(): string {
  const said = homedir();
  return isAbsolute(said) ? said : userInfo().homedir;
}

/** @throws when the folder's name is too long for sockets */
export function statePaths(folder: string): StatePaths {
  return {
    folder,
    socket: endpoint(folder, "orchestrator.sock"),
    lock: join(folder, "supervisor.lock"),
    table: join(folder, "instances.json"),
    machine: join(folder, "machine.json"),
    token: join(folder, "token"),
    log: join(folder, "supervisor.log"),
  };
}

/** Socket of a holder. */
export function holderSocket(folder: string, holderId: string): string {
  return endpoint(folder, `${holderId}.sock`);
}

/** A new id for a holder. */
export function newHolderId(): string {
  return `h-${randomBytes(6).toString("hex")}`;
}

/** The holder whose socket a file of the state folder is; undefined for other files. */
export function holderIdOf(fileName: string): string | undefined {
  return /^(h-[0-9a-f]{12})\.sock$/.exec(fileName)?.[1];
}

/** What belongs to one instance. */
export function instancePaths(folder: string, id: string): { folder: string; prompts: string; stderr: string } {
  const own = join(folder, "agents", id);
  return { folder: own, prompts: join(own, "prompts.jsonl"), stderr: join(own, "stderr.log") };
}

/** The shortest limit of the systems this runs on. */
const longestSocketPath = 103;

function endpoint(folder: string, name: string): string {
  if (process.platform === "win32") {
    const place = createHash("sha256").update(folder.toLowerCase()).digest("hex").slice(0, 16);
    return `\\\\.\\pipe\\pi-orchestrator-${place}-${name}`;
  }
  const path = join(folder, name);
  if (Buffer.byteLength(path) > longestSocketPath) {
    throw new Error(`${path} is too long for a socket. Set PI_ORCHESTRATOR_DIR to a shorter path.`);
  }
  return path;
}
