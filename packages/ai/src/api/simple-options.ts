import { clampToContext } from "../models/context-estimate.js";
import { clampThinkingLevel } from "../models/thinking-levels.js";
import type {
  Model,
  ModelThinkingLevel,
  SamplingParams,
  SimpleStreamOptions,
  StreamOptions,
  ThinkingLevel,
  TranscriptContext,
} from "../types.js";

/** What every API makes of the common options before its own mapping. */
export interface SimpleBase {
  /** Without the members only `streamSimple` knows. */
  options: StreamOptions & { maxTokens: number };
  /** The level asked for, as far as the model has it; undefined = off. */
  reasoning: ThinkingLevel | undefined;
  /** The level as it was asked for. */
  asked: ModelThinkingLevel;
}

/** The base mapping of `streamSimple`: output limit clamped to the context, sampling parameters of the level. */
export function simpleBase(
  model: Model,
  context: TranscriptContext,
  options: SimpleStreamOptions | undefined,
): SimpleBase {
  const { reasoning: wanted, thinkingBudgets: _, toolChoice: __, ...rest } = options ?? {};
  const level = clampThinkingLevel(model, wanted ?? "off");
  const reasoning = wanted === undefined || level === "off" ? undefined : level;
  const samplingParams = mergedSamplingParams(model, level, options?.samplingParams);
  return {
    options: {
      ...rest,
      maxTokens: clampToContext(model, context.messages, options?.maxTokens ?? model.maxTokens),
      ...(samplingParams === undefined ? {} : { samplingParams }),
    },
    reasoning,
    asked: wanted ?? "off",
  };
}

function mergedSamplingParams(
  model: Model,
  level: ModelThinkingLevel,
  own: SamplingParams | undefined,
): SamplingParams | undefined {
  const ofLevel = model.samplingParamsByThinkingLevel?.[level];
  if (!model.samplingParams && !ofLevel && !own) return undefined;
  return { ...model.samplingParams, ...ofLevel, ...own };
}

/** The output limit of a request that came without one: all the model can, as far as the context has room. */
export function outputLimit(model: Model, context: TranscriptContext, options: StreamOptions | undefined): number {
  return options?.maxTokens ?? clampToContext(model, context.messages, model.maxTokens);
}
