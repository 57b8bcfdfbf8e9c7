export * from "./event-stream.js";
export * from "./provider-streams.js";
export * from "./types.js";
