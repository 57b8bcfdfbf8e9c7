/** The door to sockets of the orchestrator: local ones, which only their owner may use. */
import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";

export type { Server, Socket } from "node:net";

/** Listens with access for the owner only; what a process that is gone left at the path is removed first. */
export async function listenPrivately(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, onConnection);
  const isPipe = path.startsWith("\\\\");
  if (!isPipe) rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, backlog: 1024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  if (!isPipe) chmodSync(path, 0o600);
  return server;
}

/** @throws the operating system's error: ENOENT and ECONNREFUSED when nobody listens */
export function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** Removes the file of a socket that nobody listens on any more. */
export async function removeDeadSocket(path: string): Promise<void> {
  if (path.startsWith("\\\\")) return;
  try {
    (await connectTo(path)).destroy();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") rmSync(path, { force: true });
  }
}
