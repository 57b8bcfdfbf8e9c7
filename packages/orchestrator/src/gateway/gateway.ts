import type { Handler } from "../handler.js";
import type { OrchestratorSupervisor } from "../supervisor.js";

export interface Gateway {
  url: string;
  pageUrl: string;
  close(): void;
}

export async function startGateway(_s: OrchestratorSupervisor, _h: Handler, _port: number): Promise<Gateway> {
  throw new Error("not yet");
}
