export { startScriptedServer } from "./server.js";
export * from "./types.js";
