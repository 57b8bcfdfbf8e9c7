export type { AgentToolResult, AgentToolUpdateCallback, ToolExecutionMode } from "@earendil-works/pi-agent-core";
export { type Args, parseArgs } from "./cli/args.js";
export { CONFIG_DIR_NAME, getAgentDir } from "./config.js";
export type { AgentSessionOptions as AgentSessionConfig } from "./core/agent-session/assembly.js";
export type { ContextUsage } from "./core/agent-session/context-usage.js";
export type { ModelCycleResult } from "./core/agent-session/model-control.js";
export { PromptAbortedError, SessionEndedError } from "./core/agent-session/session-ended.js";
export type { SessionStats } from "./core/agent-session/statistics.js";
export { AgentSession, type PromptOptions } from "./core/agent-session.js";
export type { AgentSessionEvent, AgentSessionEventListener } from "./core/agent-session-events.js";
export type { CreateAgentSessionRuntimeResult } from "./core/agent-session-runtime.js";
export {
  AgentSessionRuntime,
  type CreateAgentSessionRuntimeFactory,
  createAgentSessionRuntime,
} from "./core/agent-session-runtime.js";
export {
  type AgentSessionRuntimeDiagnostic,
  type AgentSessionServices,
  type CreateAgentSessionServicesOptions,
  createAgentSessionServices,
} from "./core/agent-session-services.js";
export {
  type CollectEntriesResult,
  collectEntriesForBranchSummary,
  type GenerateBranchSummaryOptions,
  generateBranchSummary,
  prepareBranchEntries,
} from "./core/compaction/branch-summary.js";
export { compact, generateSummary, generateSummaryWithUsage } from "./core/compaction/compact.js";
export { type CutPointResult, findCutPoint, findTurnStartIndex } from "./core/compaction/cut-point.js";
export { serializeConversation } from "./core/compaction/serialize.js";
export { calculateContextTokens, estimateTokens } from "./core/compaction/tokens.js";
export { getLastAssistantUsage, shouldCompact } from "./core/compaction/trigger.js";
export * from "./core/compaction/types.js";
export { defineTool } from "./core/extensions/define-tool.js";
export { createEventBus } from "./core/extensions/event-bus.js";
export type * from "./core/extensions/later-types.js";
export { discoverAndLoadExtensions } from "./core/extensions/loader.js";
export {
  createCodemodeExtension,
  createMcpExtension,
  createToolSearchExtension,
  VIRTUAL_MODEL_STATE_ENTRY,
} from "./core/extensions/not-available.js";
export { ExtensionRunner } from "./core/extensions/runner.js";
export { createExtensionRuntime } from "./core/extensions/runtime.js";
export {
  isBashToolResult,
  isEditToolResult,
  isFindToolResult,
  isGrepToolResult,
  isLsToolResult,
  isPowerShellToolResult,
  isReadToolResult,
  isToolCallEventType,
  isWriteToolResult,
} from "./core/extensions/tool-guards.js";
export type * from "./core/extensions/types.js";
export { wrapRegisteredTool, wrapRegisteredTools } from "./core/extensions/wrapper.js";
export { detectSupportedImageMimeTypeFromFile } from "./core/images/detect-file.js";
export { convertToPng, formatDimensionNote, type ResizedImage, resizeImage } from "./core/images/resize.js";
export type {
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomMessage,
} from "./core/messages.js";
export { convertToLlm } from "./core/messages.js";
export { type ApiKeyAndHeaders, ModelRegistry } from "./core/model-registry.js";
export type { AuthStatus } from "./core/models/auth-status.js";
export { AuthStorage, type AuthStorageBackend, readStoredCredential } from "./core/models/auth-storage.js";
export {
  CredentialSynchronizationError,
  type CredentialSynchronizationOperation,
} from "./core/models/credential-synchronization-error.js";
export {
  type ResolveCliModelOptions,
  type ResolveCliModelResult,
  resolveCliModel,
} from "./core/models/initial-model.js";
export {
  type CreateModelRuntimeOptions,
  ModelRuntime,
  type ModelRuntimeAuthOverrides,
} from "./core/models/model-runtime.js";
export {
  type ModelScopeDiagnostic,
  type ResolveModelScopeResult,
  resolveModelScopeWithDiagnostics,
  type ScopedModel,
} from "./core/models/model-scope.js";
export type { ProviderConfig, ProviderModelConfig, ProviderOAuthConfig } from "./core/models/provider-config.js";
export { DefaultPackageManager } from "./core/packages/package-manager.js";
export type {
  PackageInstallFailure,
  PackageManager,
  ProgressCallback,
  ProgressEvent,
  ResolvedPaths,
  ResolvedResource,
} from "./core/packages/types.js";
export {
  DefaultResourceLoader,
  type DefaultResourceLoaderOptions,
  type ResourceLoader,
  type ResourceLoaderReloadOptions,
} from "./core/resource-loader.js";
export { loadProjectContextFiles } from "./core/resources/context-files.js";
export { type ParsedFrontmatter, parseFrontmatter, stripFrontmatter } from "./core/resources/frontmatter.js";
export { getDocsPath, getExamplesPath, getPackageDir, getReadmePath } from "./core/resources/product-docs.js";
export type {
  PathMetadata,
  PromptTemplate,
  ResourceCollision,
  ResourceDiagnostic,
  SourceInfo,
} from "./core/resources/resource-types.js";
export { type ParsedSkillBlock, parseSkillBlock } from "./core/resources/skill-command.js";
export type { Skill, SkillFrontmatter } from "./core/resources/skill-file.js";
export { formatSkillsForPrompt } from "./core/resources/skill-prompt.js";
export {
  type LoadSkillsFromDirOptions,
  type LoadSkillsResult,
  loadSkills,
  loadSkillsFromDir,
} from "./core/resources/skills.js";
export { createSyntheticSourceInfo } from "./core/resources/source-info.js";
export {
  type CreateAgentSessionFromServicesOptions,
  type CreateAgentSessionOptions,
  type CreateAgentSessionResult,
  createAgentSession,
  createAgentSessionFromServices,
} from "./core/sdk.js";
export { exportSessionJsonl, importSessionFile } from "./core/session-jsonl.js";
export { type NewSessionOptions, SessionManager, type SessionStoreOptions } from "./core/session-manager.js";
export {
  buildContextEntries,
  buildSessionContext,
  buildSessionProjection,
  getLatestCompactionEntry,
  sessionEntryToContextMessages,
} from "./core/session-store/context.js";
export * from "./core/session-store/entries.js";
export { migrateSessionEntries, parseSessionEntries } from "./core/session-store/parse.js";
export {
  MissingSessionCwdError,
  SessionImportFileNotFoundError,
  SessionInUseError,
  SessionReadOnlyError,
  SessionUnsavedError,
} from "./core/session-store/session-errors.js";
export type { FsyncPolicy, SessionDiagnostic } from "./core/session-store/session-file-options.js";
export type { SessionListProgress } from "./core/session-store/session-list.js";
export type { SessionInfo } from "./core/session-store/session-summary.js";
export type { SessionTotals } from "./core/session-store/totals.js";
export type { SettingsStorage } from "./core/settings/scope-store.js";
export type {
  CacheWarmingMode,
  DefaultProjectTrust,
  FullscreenExitOutput,
  ImageSettings,
  PackageSource,
  QuietStartup,
  RetrySettings,
  Settings,
  TuiMode,
} from "./core/settings/settings.js";
export { SettingsManager, type SettingsManagerCreateOptions } from "./core/settings/settings-manager.js";
export { Theme } from "./core/themes/theme.js";
export * from "./core/tools/index.js";
export {
  hasTrustRequiringProjectResources,
  type ProjectTrustDecision,
  ProjectTrustStore,
  type ProjectTrustStoreEntry,
  type ProjectTrustUpdate,
} from "./core/trust-manager.js";
export { type MainOptions, main } from "./main.js";
export * from "./modes/interactive/exports.js";
export { type PrintModeOptions, runPrintMode } from "./modes/print-mode.js";
export { type ModelInfo, RpcClient, type RpcClientOptions, type RpcEventListener } from "./modes/rpc/rpc-client.js";
export { runRpcMode } from "./modes/rpc/rpc-mode.js";
export type {
  JsonAgentSessionEvent,
  RpcCommand,
  RpcCommandType,
  RpcExtensionUIRequest,
  RpcExtensionUIResponse,
  RpcResponse,
  RpcSessionState,
  RpcSlashCommand,
} from "./modes/rpc/rpc-types.js";
export { VERSION } from "./version.js";
