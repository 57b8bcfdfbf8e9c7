/**
 * Types of the published contract whose work is not in this release: names that type checks of extensions find.
 * Source: exports.md sections 4.2 to 4.5, [L].
 */
import type { Message, Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import type { CacheWarmingMode } from "../settings/settings.js";

export interface CacheWarmingStatus {
  mode: CacheWarmingMode;
}

export type { CacheWarmingDecision } from "@earendil-works/pi-ai";

export interface ModelRoute<State = unknown> {
  model: Model;
  thinkingLevel: ModelThinkingLevel;
  state?: State;
}

export type ModelRouteReason = "user" | "continuation" | "retry" | "direct";

export interface ModelRouteRequest<State = unknown> {
  model: Model;
  thinkingLevel: ModelThinkingLevel;
  reason: ModelRouteReason;
  previous?: ModelRoute<State>;
  failed?: ModelRoute<State>;
  state?: State;
  messages: readonly Message[];
  signal?: AbortSignal;
}

export interface VirtualModelDefinition<State = unknown> {
  provider: string;
  id: string;
  name: string;
  thinkingLevels?: readonly ModelThinkingLevel[];
  contextWindow?: number;
  maxTokens?: number;
  input?: readonly ("text" | "image")[];
  route: (request: ModelRouteRequest<State>) => ModelRoute<State> | Promise<ModelRoute<State>>;
}

export interface VirtualModelStateData<State = unknown> {
  provider: string;
  modelId: string;
  state: State;
}

export type McpExposure = "codemode" | "deferred" | "direct" | "hidden";

interface McpServerCommon {
  exposure?: McpExposure;
  description?: string;
  toolExposure?: Record<string, McpExposure>;
  /** In ms. */
  timeout?: number;
}

export interface McpStdioServerConfig extends McpServerCommon {
  command: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
}

export interface McpHttpServerConfig extends McpServerCommon {
  url: string;
  headers?: Record<string, string>;
  oauth?: unknown;
  auth?: unknown;
}

export type McpServerConfig = McpStdioServerConfig | McpHttpServerConfig;

export interface McpServerEntry {
  name: string;
  config: McpServerConfig;
}

export interface LoadedMcpConfig {
  servers: McpServerEntry[];
}

export type McpTransportFactory = (server: McpServerEntry) => unknown;

export interface McpExtensionOptions {
  transportFactory?: McpTransportFactory;
}

export interface RegisteredMcpServer {
  name: string;
  config: McpServerConfig;
  extensionPath: string;
}

export type CodemodeExtensionOptions = Record<string, unknown>;
export type CodemodeToolDetails = Record<string, unknown>;
export type CodemodeStoreEntryData = Record<string, unknown>;
