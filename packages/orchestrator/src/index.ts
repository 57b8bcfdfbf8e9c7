export { Handler } from "./handler.js";
export { OrchestratorClient, OrchestratorError, type OrchestratorStream } from "./ipc/client.js";
export { longestFrame } from "./ipc/protocol.js";
export { IpcServer, type IpcServerOptions } from "./ipc/server.js";
export { defaultStateFolder, type StatePaths, statePaths } from "./paths.js";
export { OrchestratorSupervisor, RequestError, type SupervisorOptions } from "./supervisor.js";
export type * from "./types.js";
export { version as VERSION } from "./version.js";
