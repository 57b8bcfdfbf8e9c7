import { randomBytes } from "node:crypto";
import { type ServerType, serve } from "@hono/node-server";
import type { Handler } from "../handler.js";
import { readOrMake } from "../storage/state-folder.js";
import type { OrchestratorSupervisor } from "../supervisor.js";
import { gatewayApp } from "./app.js";

export interface Gateway {
  url: string;
  /** With the token, which pages keep to themselves: what comes after # is sent nowhere. */
  pageUrl: string;
  close(): void;
}

/** Connections at the same time; further ones are closed at once. */
const mostConnections = 256;

/**
 * Serves HTTP on the loopback address, for whoever has the token of the state folder.
 * @throws when the port cannot be had
 */
export async function startGateway(
  supervisor: OrchestratorSupervisor,
  handler: Handler,
  port: number,
): Promise<Gateway> {
  const token = readOrMake(supervisor.context.paths.token, () => randomBytes(32).toString("base64url"));
  let hosts: string[] = [];
  const app = gatewayApp({ supervisor, handler, token, hosts: () => hosts });
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, () => resolve(starting));
    starting.once("error", (error: NodeJS.ErrnoException) => reject(portError(port, error)));
  });
  server.maxConnections = mostConnections;
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  hosts = [`127.0.0.1:${bound}`, `localhost:${bound}`];
  const url = `http://127.0.0.1:${bound}`;
  return {
    url,
    pageUrl: `${url}/#token=${token}`,
    close() {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
    },
  };
}

function portError(port: number, { code, message }: NodeJS.ErrnoException): Error {
  const why = code === "EADDRINUSE" ? "is in use" : `cannot be had (${message})`;
  return new Error(`Port ${port} of 127.0.0.1 ${why}. Choose another one with --http, or 0 for a free one.`);
}
