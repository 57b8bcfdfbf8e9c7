import { getCurrentTools, resolveTranscript } from "../../transcript/replay.js";
import type { Model, Tool, TranscriptContext } from "../../types.js";
import { cacheRetention } from "../cache-retention.js";
import { type GrammarTools, grammarTools } from "../grammar-tools.js";
import { cacheKey } from "../prompt-cache-key.js";
import { outputLimit } from "../simple-options.js";
import { sentParameters } from "../tool-parameters.js";
import { type ResolvedResponsesCompat, responsesCompat } from "./responses-compat.js";
import { inputItems } from "./responses-input.js";
import type { OpenAIResponsesOptions } from "./responses-options.js";

type Wire = Record<string, unknown>;

/** The API refuses lower output limits. */
const MIN_OUTPUT_TOKENS = 16;
/** Asks for reasoning that can be sent back. */
export const ENCRYPTED_REASONING = ["reasoning.encrypted_content"];

/** Where the relatives of the API deviate from it. */
export interface ResponsesVariant {
  compat: ResolvedResponsesCompat;
  /** Name of the model in the request. Default: its id. */
  modelName?: string;
  cacheFields: Wire;
  /** What `strict` says of a tool that is not held to its schema. Default: false. */
  plainStrict?: false | null;
}

/** The request body. Source: llm-wire.md section 3. */
export function responsesBody(model: Model, context: TranscriptContext, options: OpenAIResponsesOptions = {}): Wire {
  const compat = responsesCompat(model);
  const restricted = isSignInToken(model, options);
  const body: Wire = baseBody(model, context, options, {
    compat: restricted ? { ...compat, supportsMaxOutputTokens: false } : compat,
    cacheFields: restricted ? {} : cacheFields(compat, options),
  });
  if (restricted) delete body["temperature"];
  if (options.serviceTier !== undefined) body["service_tier"] = options.serviceTier;
  Object.assign(body, reasoningFields(model, options));
  return Object.assign(body, options.samplingParams);
}

/** The part of the body that all Responses APIs have in common: without reasoning and sampling parameters. */
export function baseBody(
  model: Model,
  context: TranscriptContext,
  options: OpenAIResponsesOptions,
  variant: ResponsesVariant,
): Wire {
  const { compat } = variant;
  const transcript = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const tools = getCurrentTools(transcript.messages);
  const grammars = grammarTools(tools, compat.supportsOpenAIGrammarTools);
  const body: Wire = {
    model: variant.modelName ?? model.id,
    input: inputItems(transcript.messages, model, model.reasoning && compat.supportsDeveloperRole, grammars),
    stream: true,
    ...variant.cacheFields,
    store: false,
  };
  if (compat.supportsMaxOutputTokens) {
    body["max_output_tokens"] = Math.max(MIN_OUTPUT_TOKENS, outputLimit(model, context, options));
  }
  if (options.temperature !== undefined) body["temperature"] = options.temperature;
  if (tools.length > 0)
    body["tools"] = tools.map((tool) =>
      wireTool(tool, compat, grammars, variant.plainStrict === undefined ? false : variant.plainStrict),
    );
  if (options.toolChoice !== undefined) body["tool_choice"] = options.toolChoice;
  return body;
}

/** The word the provider has for the level of a request; undefined when thinking is off. */
export function responsesEffort(model: Model, options: OpenAIResponsesOptions): string | undefined {
  const level = options.reasoningEffort;
  return level === undefined ? undefined : (model.thinkingLevelMap?.[level] ?? level);
}

/** Tokens of a ChatGPT sign-in are accepted by OpenAI itself, but with fewer fields. */
function isSignInToken(model: Model, options: OpenAIResponsesOptions): boolean {
  const key = options.apiKey?.trim();
  return (
    model.provider === "openai" && model.baseUrl.includes("api.openai.com") && Boolean(key) && !key?.startsWith("sk-")
  );
}

export function cacheFields(compat: ResolvedResponsesCompat, options: OpenAIResponsesOptions): Wire {
  const retention = cacheRetention(options);
  const long = retention === "long" && compat.supportsLongCacheRetention;
  const fields: Wire = {};
  const key =
    retention === "none" || compat.promptCacheKeyMode === "disabled" ? undefined : cacheKey(options.sessionId);
  if (key !== undefined) fields["prompt_cache_key"] = key;
  if (compat.supportsExplicitPromptCacheMode) {
    if (retention === "none") fields["prompt_cache_options"] = { mode: "explicit" };
    else if (long) fields["prompt_cache_options"] = { ttl: "30m" };
  } else if (long) {
    fields["prompt_cache_retention"] = "24h";
  }
  return fields;
}

/** The tools of a conversation that a model is told about with their grammars. */
export function responsesGrammars(context: TranscriptContext, compat: ResolvedResponsesCompat): GrammarTools {
  return grammarTools(getCurrentTools(context.messages), compat.supportsOpenAIGrammarTools);
}

function wireTool(
  tool: Tool,
  compat: ResolvedResponsesCompat,
  grammars: GrammarTools,
  plainStrict: false | null,
): Wire {
  const grammar = grammars.get(tool.name);
  if (grammar) {
    const format = { type: "grammar", ...grammar.format };
    return { type: "custom", name: tool.name, description: tool.description, format };
  }
  const { parameters, strict } = sentParameters(tool, compat.supportsStrictMode);
  const wire: Wire = { type: "function", name: tool.name, description: tool.description, parameters };
  if (compat.supportsStrictMode) wire["strict"] = strict || plainStrict;
  return wire;
}

export function reasoningFields(model: Model, options: OpenAIResponsesOptions): Wire {
  if (!model.reasoning) return {};
  const effort = responsesEffort(model, options);
  if (effort !== undefined) {
    const summary = options.reasoningSummary === undefined ? "auto" : options.reasoningSummary;
    return { reasoning: { effort, summary }, include: ENCRYPTED_REASONING };
  }
  const fields: Wire = model.provider === "xai" ? { include: ENCRYPTED_REASONING } : {};
  const off = model.thinkingLevelMap?.off;
  if (off !== null && model.provider !== "github-copilot") fields["reasoning"] = { effort: off ?? "none" };
  return fields;
}
