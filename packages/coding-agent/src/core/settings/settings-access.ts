/**
 * Every setting by name. Values come from the effective settings; setters change the user's own.
 * Source: cli-and-config.md sections 4.2 and 7.4, exports.md section 4.5.
 */
import type { QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { ThinkingBudgets, Transport } from "@earendil-works/pi-ai";
import type { EffectiveCompactionSettings } from "../compaction/types.js";
import { matches } from "./schema-match.js";
import { ScreenSettings } from "./screen-settings.js";
import type {
  BranchSummarySettings,
  CacheWarmingMode,
  DefaultProjectTrust,
  PackageSource,
  ProviderRetrySettings,
  Settings,
} from "./settings.js";
import { settingsSchema } from "./settings-schema.js";
import { applyToolChanges, compactionSettings, type EffectiveRetrySettings, retrySettings } from "./settings-values.js";
import { wrongValueText } from "./strict-settings.js";

/** Longest delay a timer takes: stands for "no limit". */
const noTimeoutMs = 2147483647;

type Model = { provider: string; id: string };

export abstract class SettingsAccess extends ScreenSettings {
  /** Models and thinking. */

  getDefaultProvider(): string | undefined {
    return this.getSettings().defaultProvider;
  }

  getDefaultModel(): string | undefined {
    return this.getSettings().defaultModel;
  }

  setDefaultProvider(provider: string): void {
    this.change(["defaultProvider"], provider);
  }

  setDefaultModel(modelId: string): void {
    this.change(["defaultModel"], modelId);
  }

  setDefaultModelAndProvider(provider: string, modelId: string): void {
    this.setDefaultProvider(provider);
    this.setDefaultModel(modelId);
  }

  getDefaultThinkingLevel(): ThinkingLevel | undefined {
    return this.getSettings().defaultThinkingLevel;
  }

  setDefaultThinkingLevel(level: ThinkingLevel): void {
    this.change(["defaultThinkingLevel"], level);
  }

  getModelThinkingLevel(provider: string, modelId: string): ThinkingLevel | undefined {
    return this.getAllModelThinkingLevels()[`${provider}/${modelId}`];
  }

  getAllModelThinkingLevels(): Record<string, ThinkingLevel> {
    return { ...this.getSettings().modelThinkingLevels };
  }

  setModelThinkingLevel(provider: string, modelId: string, level: ThinkingLevel): void {
    this.change(["modelThinkingLevels", `${provider}/${modelId}`], level);
  }

  removeModelThinkingLevel(provider: string, modelId: string): void {
    this.change(["modelThinkingLevels", `${provider}/${modelId}`], undefined);
  }

  getThinkingBudgets(): ThinkingBudgets | undefined {
    return this.getSettings().thinkingBudgets;
  }

  getEnabledModels(): string[] | undefined {
    return this.getSettings().enabledModels;
  }

  /** @param patterns undefined = all models */
  setEnabledModels(patterns: string[] | undefined): void {
    this.change(["enabledModels"], patterns);
  }

  getTransport(): Transport {
    return this.value("transport");
  }

  setTransport(transport: Transport): void {
    this.change(["transport"], transport);
  }

  getCacheWarmingMode(): CacheWarmingMode {
    return this.value("cacheWarming");
  }

  setCacheWarmingMode(mode: CacheWarmingMode): void {
    this.change(["cacheWarming"], mode);
  }

  getHttpProxy(): string | undefined {
    return this.getSettings().httpProxy;
  }

  /**
   * Longest silence of a provider, in ms; "no limit" is the longest timer.
   * @throws `Invalid httpIdleTimeoutMs setting: <value>`
   */
  getHttpIdleTimeoutMs(): number {
    const value = this.#checked("httpIdleTimeoutMs") ?? this.value("httpIdleTimeoutMs");
    return value === "disabled" || value === 0 ? noTimeoutMs : value;
  }

  /** @param value in ms; 0 = no limit */
  setHttpIdleTimeoutMs(value: number): void {
    this.change(["httpIdleTimeoutMs"], value);
  }

  /**
   * Longest wait for a connection that is kept, in ms; 0 = no limit, undefined = that of the model layer.
   * @throws `Invalid websocketConnectTimeoutMs setting: <value>`
   */
  getWebSocketConnectTimeoutMs(): number | undefined {
    const value = this.#checked("websocketConnectTimeoutMs");
    return value === "disabled" ? 0 : value;
  }

  /** @throws `Invalid <key> setting: <value>` */
  #checked<K extends keyof Settings>(key: K): Settings[K] {
    const value = this.getSettings()[key];
    const schema = settingsSchema.properties?.[key] ?? {};
    if (value === undefined || matches(value, schema)) return value;
    throw new Error(wrongValueText(key, value, schema));
  }

  /** Runs. */

  getSteeringMode(): QueueMode {
    return this.value("steeringMode");
  }

  setSteeringMode(mode: QueueMode): void {
    this.change(["steeringMode"], mode);
  }

  getFollowUpMode(): QueueMode {
    return this.value("followUpMode");
  }

  setFollowUpMode(mode: QueueMode): void {
    this.change(["followUpMode"], mode);
  }

  /** @throws for token counts that are no non-negative safe integers */
  getCompactionSettings(model?: Model): EffectiveCompactionSettings {
    return compactionSettings(this.getSettings(), model && `${model.provider}/${model.id}`);
  }

  getCompactionEnabled(): boolean {
    return this.getCompactionSettings().enabled;
  }

  setCompactionEnabled(enabled: boolean): void {
    this.change(["compaction", "enabled"], enabled);
  }

  getCompactionReserveTokens(model?: Model): number {
    return this.getCompactionSettings(model).reserveTokens;
  }

  getCompactionKeepRecentTokens(model?: Model): number {
    return this.getCompactionSettings(model).keepRecentTokens;
  }

  getBranchSummarySettings(): Required<BranchSummarySettings> {
    return { reserveTokens: 16384, skipPrompt: false, ...this.getSettings().branchSummary };
  }

  getBranchSummarySkipPrompt(): boolean {
    return this.getBranchSummarySettings().skipPrompt;
  }

  getRetrySettings(): EffectiveRetrySettings {
    return retrySettings(this.getSettings());
  }

  getRetryEnabled(): boolean {
    return this.getRetrySettings().enabled;
  }

  setRetryEnabled(enabled: boolean): void {
    this.change(["retry", "enabled"], enabled);
  }

  getProviderRetrySettings(): ProviderRetrySettings {
    return this.getRetrySettings().provider;
  }

  /** Tools and children. */

  getShellPath(): string | undefined {
    return this.getSettings().shellPath;
  }

  setShellPath(path: string | undefined): void {
    this.change(["shellPath"], path);
  }

  getShellCommandPrefix(): string | undefined {
    return this.getSettings().shellCommandPrefix;
  }

  setShellCommandPrefix(prefix: string | undefined): void {
    this.change(["shellCommandPrefix"], prefix);
  }

  getNpmCommand(): string[] | undefined {
    return this.getSettings().npmCommand;
  }

  setNpmCommand(command: string[] | undefined): void {
    this.change(["npmCommand"], command);
  }

  /**
   * Tools that are active without `--tools`: plain names replace the base set, then `+x` adds and `-x` removes.
   * Source: cli-and-config.md section 4.2.
   */
  getDefaultTools(base: readonly string[]): string[] {
    const configured = this.getSettings().defaultTools;
    return configured ? applyToolChanges(configured, base) : [...base];
  }

  setDefaultTools(tools: string[] | undefined): void {
    this.change(["defaultTools"], tools);
  }

  getImageAutoResize(): boolean {
    return this.getSettings().images?.autoResize ?? true;
  }

  setImageAutoResize(enabled: boolean): void {
    this.change(["images", "autoResize"], enabled);
  }

  getBlockImages(): boolean {
    return this.getSettings().images?.blockImages ?? false;
  }

  setBlockImages(blocked: boolean): void {
    this.change(["images", "blockImages"], blocked);
  }

  /** Resources and trust. */

  getDefaultProjectTrust(): DefaultProjectTrust {
    return this.value("defaultProjectTrust");
  }

  setDefaultProjectTrust(trust: DefaultProjectTrust): void {
    this.change(["defaultProjectTrust"], trust);
  }

  getPackages(): PackageSource[] {
    return [...(this.getSettings().packages ?? [])];
  }

  setPackages(packages: PackageSource[]): void {
    this.change(["packages"], packages);
  }

  setProjectPackages(packages: PackageSource[]): void {
    this.change(["packages"], packages, "project");
  }

  getExtensionPaths(): string[] {
    return [...(this.getSettings().extensions ?? [])];
  }

  setExtensionPaths(paths: string[]): void {
    this.change(["extensions"], paths);
  }

  setProjectExtensionPaths(paths: string[]): void {
    this.change(["extensions"], paths, "project");
  }

  getSkillPaths(): string[] {
    return [...(this.getSettings().skills ?? [])];
  }

  setSkillPaths(paths: string[]): void {
    this.change(["skills"], paths);
  }

  setProjectSkillPaths(paths: string[]): void {
    this.change(["skills"], paths, "project");
  }

  getPromptTemplatePaths(): string[] {
    return [...(this.getSettings().prompts ?? [])];
  }

  setPromptTemplatePaths(paths: string[]): void {
    this.change(["prompts"], paths);
  }

  setProjectPromptTemplatePaths(paths: string[]): void {
    this.change(["prompts"], paths, "project");
  }

  getThemePaths(): string[] {
    return [...(this.getSettings().themes ?? [])];
  }

  setThemePaths(paths: string[]): void {
    this.change(["themes"], paths);
  }

  setProjectThemePaths(paths: string[]): void {
    this.change(["themes"], paths, "project");
  }

  getEnableSkillCommands(): boolean {
    return this.value("enableSkillCommands");
  }

  setEnableSkillCommands(enabled: boolean): void {
    this.change(["enableSkillCommands"], enabled);
  }
}
