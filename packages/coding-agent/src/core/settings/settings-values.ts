/** Settings that are more than a value: defaults, overrides of one model, values that must be whole numbers. Pure. */
import { DEFAULT_COMPACTION_SETTINGS, type EffectiveCompactionSettings } from "../compaction/types.js";
import { matches } from "./schema-match.js";
import type { ProviderRetrySettings, Settings } from "./settings.js";
import { settingsSchema } from "./settings-schema.js";
import { wrongValueText } from "./strict-settings.js";

export interface EffectiveRetrySettings {
  enabled: boolean;
  maxRetries: number;
  /** First wait, doubled each time, in ms. */
  baseDelayMs: number;
  /** Longest wait, in ms. */
  maxAgentDelayMs: number;
  provider: ProviderRetrySettings;
}

const DEFAULT_RETRY = { enabled: true, maxRetries: 3, baseDelayMs: 2000, maxAgentDelayMs: 60_000 };

export function retrySettings({ retry }: Settings): EffectiveRetrySettings {
  return {
    enabled: retry?.enabled ?? DEFAULT_RETRY.enabled,
    maxRetries: retry?.maxRetries ?? DEFAULT_RETRY.maxRetries,
    baseDelayMs: retry?.baseDelayMs ?? DEFAULT_RETRY.baseDelayMs,
    maxAgentDelayMs: retry?.maxAgentDelayMs ?? DEFAULT_RETRY.maxAgentDelayMs,
    provider: retry?.provider ?? {},
  };
}

/**
 * What holds for a model: its override, else the ordinary value, else the default. Source: sessions.md section 5.
 *
 * @param model `provider/modelId`
 * @throws for a value that is no non-negative safe integer
 */
export function compactionSettings({ compaction }: Settings, model?: string): EffectiveCompactionSettings {
  const override = model === undefined ? undefined : compaction?.modelOverrides?.[model];
  const tokens = (field: "reserveTokens" | "keepRecentTokens"): number => {
    if (override?.[field] !== undefined) {
      return checkedTokens(override[field], `compaction.modelOverrides[${JSON.stringify(model)}].${field}`);
    }
    return checkedTokens(compaction?.[field] ?? DEFAULT_COMPACTION_SETTINGS[field], `compaction.${field}`);
  };
  return {
    enabled: compaction?.enabled ?? DEFAULT_COMPACTION_SETTINGS.enabled,
    reserveTokens: tokens("reserveTokens"),
    keepRecentTokens: tokens("keepRecentTokens"),
  };
}

function checkedTokens(value: unknown, name: string): number {
  const schema = settingsSchema.properties?.["compaction"]?.properties?.["reserveTokens"] ?? {};
  if (matches(value, schema)) return value as number;
  throw new Error(wrongValueText(name, value, schema));
}

/** `+name` / `-name` entries change the base, plain names (or an empty list) replace it. */
export function applyToolChanges(entries: readonly string[], base: readonly string[]): string[] {
  const plain = entries.filter((entry) => !/^[+-]/.test(entry));
  const active = new Set(plain.length > 0 || entries.length === 0 ? plain : base);
  for (const entry of entries) {
    if (entry.startsWith("+")) active.add(entry.slice(1));
    else if (entry.startsWith("-")) active.delete(entry.slice(1));
  }
  return [...active];
}
