import type {
  ConverseStreamRequest,
  ToolChoice,
  Message as WireMessage,
  Tool as WireTool,
} from "@aws-sdk/client-bedrock-runtime";
import { thinkingBudget } from "../../models/thinking-levels.js";
import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { getSystemMessageText } from "../../text/system-message-text.js";
import { getInitialSystemMessage, withoutInitialSystemMessage } from "../../transcript/context.js";
import { collapseSystemMessages, getCurrentTools } from "../../transcript/replay.js";
import type { BedrockCompat, Model, ThinkingLevel, Tool, TranscriptContext } from "../../types.js";
import { cacheRetention } from "../cache-retention.js";
import { budgetLimits, claudeEffort } from "../claude-thinking.js";
import { environmentVariable } from "../environment.js";
import { outputLimit } from "../simple-options.js";
import { sentParameters } from "../tool-parameters.js";
import { bedrockMessages } from "./bedrock-messages.js";
import { cachesPrompts, claudeVersion, isClaude, thinksAdaptively } from "./bedrock-models.js";
import type { BedrockOptions } from "./bedrock-options.js";

type Wire = Record<string, unknown>;
type CachePoint = { cachePoint: { type: "default"; ttl?: "1h" } };

/**
 * The input of the command, which is the body of the request with bytes in place of base64. Source: llm-wire.md
 * section 9.
 * @param region decides about fields that GovCloud refuses
 */
export function bedrockInput(
  model: Model,
  context: TranscriptContext,
  options: BedrockOptions = {},
  region?: string,
): ConverseStreamRequest {
  const { messages } = collapseSystemMessages(context);
  const wireMessages = bedrockMessages(withoutInitialSystemMessage(messages), model);
  const cachePoint = cachePointOf(model, options);
  if (cachePoint) markLastUserMessage(wireMessages, cachePoint);
  const input: ConverseStreamRequest = { modelId: model.id, messages: wireMessages };
  const system = getInitialSystemMessage(messages);
  const systemText = system ? stripUnpairedSurrogates(getSystemMessageText(system)) : "";
  if (systemText.trim() !== "") input.system = [{ text: systemText }, ...(cachePoint ? [cachePoint] : [])];
  const thinking = thinkingFields(model, context, options, region);
  const inferenceConfig: NonNullable<ConverseStreamRequest["inferenceConfig"]> = {};
  const given = options.maxTokens ?? (isClaude(model) ? outputLimit(model, context, options) : undefined);
  const maxTokens = thinking.maxTokens ?? given;
  if (maxTokens !== undefined) inferenceConfig.maxTokens = maxTokens;
  // Claude thinks at its own temperature only.
  const ownTemperature = isClaude(model) && thinking.fields !== undefined;
  if (options.temperature !== undefined && !ownTemperature) inferenceConfig.temperature = options.temperature;
  input.inferenceConfig = inferenceConfig;
  const tools = getCurrentTools(messages);
  if (tools.length > 0 && options.toolChoice !== "none")
    input.toolConfig = toolConfig(tools, model, options.toolChoice);
  if (thinking.fields) {
    input.additionalModelRequestFields = thinking.fields as NonNullable<
      ConverseStreamRequest["additionalModelRequestFields"]
    >;
  }
  if (options.requestMetadata) input.requestMetadata = options.requestMetadata;
  return input;
}

/** The level as it is sent; undefined when thinking is off or a budget says it. */
export function bedrockEffort(model: Model, level: ThinkingLevel | undefined): string | undefined {
  if (level === undefined) return undefined;
  if (isClaude(model)) return thinksAdaptively(claudeVersion(model)) ? claudeEffort(model, level) : undefined;
  return model.id.includes("gpt-") ? (model.thinkingLevelMap?.[level] ?? level) : undefined;
}

interface ThinkingFields {
  fields?: Wire;
  maxTokens?: number;
}

function thinkingFields(
  model: Model,
  context: TranscriptContext,
  options: BedrockOptions,
  region: string | undefined,
): ThinkingFields {
  const level = options.reasoning;
  if (!model.reasoning || level === undefined) return {};
  const effort = bedrockEffort(model, level);
  if (!isClaude(model)) {
    if (effort === undefined) return {};
    return { fields: model.id.includes("gpt-oss") ? { reasoning_effort: effort } : { reasoning: { effort } } };
  }
  const isGovCloud = region?.startsWith("us-gov-") || model.id.startsWith("us-gov.");
  const display = isGovCloud ? {} : { display: options.thinkingDisplay ?? "summarized" };
  if (effort !== undefined)
    return { fields: { thinking: { type: "adaptive", ...display }, output_config: { effort } } };
  const wanted = outputLimit(model, context, options);
  const { maxTokens, budget } = budgetLimits(model, wanted, thinkingBudget(level, options.thinkingBudgets));
  const fields: Wire = { thinking: { type: "enabled", budget_tokens: budget, ...display } };
  if (options.interleavedThinking !== false) fields["anthropic_beta"] = ["interleaved-thinking-2025-05-14"];
  return { fields, maxTokens };
}

function cachePointOf(model: Model, options: BedrockOptions): CachePoint | undefined {
  const retention = cacheRetention(options);
  const can = cachesPrompts(claudeVersion(model)) || environmentVariable("AWS_BEDROCK_FORCE_CACHE", options) === "1";
  if (retention === "none" || !can) return undefined;
  return { cachePoint: retention === "long" ? { type: "default", ttl: "1h" } : { type: "default" } };
}

function markLastUserMessage(messages: readonly WireMessage[], cachePoint: CachePoint): void {
  messages.findLast(({ role }) => role === "user")?.content?.push(cachePoint);
}

function toolConfig(
  tools: readonly Tool[],
  model: Model,
  choice: Exclude<BedrockOptions["toolChoice"], "none">,
): NonNullable<ConverseStreamRequest["toolConfig"]> {
  const supportsStrict = (model.compat as BedrockCompat | undefined)?.supportsStrictMode ?? false;
  const wire = tools.map((tool): WireTool => {
    const { parameters, strict } = sentParameters(tool, supportsStrict);
    const json = parameters as NonNullable<NonNullable<WireTool["toolSpec"]>["inputSchema"]>["json"];
    return {
      toolSpec: {
        name: tool.name,
        description: tool.description,
        inputSchema: { json },
        ...(strict ? { strict: true } : {}),
      },
    } as WireTool;
  });
  return choice === undefined ? { tools: wire } : { tools: wire, toolChoice: wireChoice(choice) };
}

function wireChoice(choice: Exclude<NonNullable<BedrockOptions["toolChoice"]>, "none">): ToolChoice {
  if (typeof choice === "object") return { tool: { name: choice.name } };
  return choice === "auto" ? { auto: {} } : { any: {} };
}
