import { AssistantMessageBuilder } from "../assistant-message-builder.js";
import { delay } from "../delay.js";
import { thrownText } from "../errors/cause.js";
import { AssistantMessageEventStream } from "../event-stream.js";
import { calculateCost } from "../models/cost.js";
import type { ProviderStreams } from "../provider-streams.js";
import type {
  AssistantMessage,
  DeferredHandle,
  Model,
  ModelCost,
  ModelInputLimits,
  ModelInputModality,
  SimpleStreamOptions,
  TranscriptContext,
} from "../types.js";
import { uuidv7 } from "../uuidv7.js";
import type { FauxContentBlock } from "./builders.js";
import { FAUX_CHARS_PER_TOKEN, FauxUsage } from "./faux-usage.js";

const DEFAULT_TOKEN_SIZE = { min: 3, max: 5 };

/** A model of a faux provider. Everything but the id has a default. */
export interface FauxModelDefinition {
  id: string;
  name?: string;
  reasoning?: boolean;
  input?: ModelInputModality[];
  inputLimits?: ModelInputLimits;
  cost?: ModelCost;
  contextWindow?: number;
  maxTokens?: number;
}

export interface FauxProviderState {
  /** Requests so far. */
  callCount: number;
  deferredFetchCount: number;
  cancelledDeferred: DeferredHandle[];
}

/** Computes an answer from the request. */
export type FauxResponseFactory = (
  context: TranscriptContext,
  options: SimpleStreamOptions | undefined,
  state: FauxProviderState,
  model: Model,
) => AssistantMessage | Promise<AssistantMessage>;

/** One scripted answer. */
export type FauxResponseStep = AssistantMessage | FauxResponseFactory;

export interface RegisterFauxProviderOptions {
  /** Default: a fresh id, so that two faux providers do not replace each other. */
  api?: string;
  /** Default `faux`. */
  provider?: string;
  /** Default: one model, `faux-1`. */
  models?: FauxModelDefinition[];
  /** Pace of the answer. Default: as fast as possible. */
  tokensPerSecond?: number;
  /** Size of a delta in tokens of 4 characters. Default 3 to 5. */
  tokenSize?: { min?: number; max?: number };
}

/** A scripted provider without its registration. */
export interface FauxCore extends ProviderStreams {
  readonly api: string;
  readonly provider: string;
  readonly models: [Model, ...Model[]];
  getModel(): Model;
  getModel(id: string): Model | undefined;
  readonly state: FauxProviderState;
  /** Replaces the answers that are still to come. */
  setResponses(steps: FauxResponseStep[]): void;
  appendResponses(steps: FauxResponseStep[]): void;
  getPendingResponseCount(): number;
}

/**
 * A provider that answers from a script, for tests: full event protocol, no network. Answers are used up in order;
 * without one left, a request fails. Source: llm.md section 6.
 */
export function createFauxCore(options: RegisterFauxProviderOptions = {}): FauxCore {
  const api = options.api ?? `faux:${uuidv7()}`;
  const provider = options.provider ?? "faux";
  const definitions = options.models ?? [];
  const [first, ...others] = definitions.map((definition) => fauxModel(definition, api, provider));
  const models: [Model, ...Model[]] = [
    first ?? fauxModel({ id: "faux-1", name: "Faux Model" }, api, provider),
    ...others,
  ];
  const state: FauxProviderState = { callCount: 0, deferredFetchCount: 0, cancelledDeferred: [] };
  const usage = new FauxUsage();
  let pending: FauxResponseStep[] = [];

  function getModel(): Model;
  function getModel(id: string): Model | undefined;
  function getModel(id?: string): Model | undefined {
    return id === undefined ? models[0] : models.find((model) => model.id === id);
  }

  const stream: ProviderStreams["streamSimple"] = (model, context, requestOptions) => {
    const result = new AssistantMessageEventStream();
    const builder = new AssistantMessageBuilder(model, result);
    state.callCount++;
    const step = pending.shift();
    const answer = async (): Promise<void> => {
      const { signal } = requestOptions ?? {};
      // Like a request: nothing happens before the caller has the stream.
      await Promise.resolve();
      if (step === undefined) throw new Error("No more faux responses queued");
      const scripted = typeof step === "function" ? await step(context, requestOptions, state, model) : step;
      if (signal?.aborted) return builder.fail("aborted", "Request was aborted");
      await playAnswer(builder, scripted, pacing(options), signal, () => {
        usage.fill(builder.message.usage, context.messages, scripted, requestOptions);
        calculateCost(model, builder.message.usage);
      });
    };
    answer().catch((error: unknown) => builder.fail("error", thrownText(error)));
    return result;
  };

  return {
    api,
    provider,
    models,
    getModel,
    state,
    stream,
    streamSimple: stream,
    setResponses: (steps) => {
      pending = [...steps];
    },
    appendResponses: (steps) => {
      pending.push(...steps);
    },
    getPendingResponseCount: () => pending.length,
  };
}

function fauxModel(definition: FauxModelDefinition, api: string, provider: string): Model {
  return {
    name: definition.id,
    reasoning: false,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 16_384,
    ...definition,
    api,
    provider,
    baseUrl: "http://localhost:0",
    type: "chat",
  };
}

interface Pacing {
  minChars: number;
  maxChars: number;
  msPerToken: number;
}

function pacing({ tokenSize, tokensPerSecond }: RegisterFauxProviderOptions): Pacing {
  const min = Math.max(1, tokenSize?.min ?? DEFAULT_TOKEN_SIZE.min);
  const max = Math.max(min, tokenSize?.max ?? DEFAULT_TOKEN_SIZE.max);
  return {
    minChars: min * FAUX_CHARS_PER_TOKEN,
    maxChars: max * FAUX_CHARS_PER_TOKEN,
    msPerToken: tokensPerSecond && tokensPerSecond > 0 ? 1000 / tokensPerSecond : 0,
  };
}

/** Streams a scripted answer block by block; an abort is noticed between two deltas. */
async function playAnswer(
  builder: AssistantMessageBuilder,
  scripted: AssistantMessage,
  pace: Pacing,
  signal: AbortSignal | undefined,
  fillUsage: () => void,
): Promise<void> {
  const { message } = builder;
  if (scripted.responseId !== undefined) message.responseId = scripted.responseId;
  if (scripted.diagnostics !== undefined) message.diagnostics = scripted.diagnostics;
  message.timestamp = scripted.timestamp;
  fillUsage();
  builder.start();
  for (const block of scripted.content) {
    const finished = await playBlock(builder, block, pace, signal);
    if (!finished) return builder.fail("aborted", "Request was aborted");
  }
  const { stopReason, errorMessage } = scripted;
  switch (stopReason) {
    case "error":
    case "aborted":
      return builder.fail(
        stopReason,
        errorMessage ?? (stopReason === "aborted" ? "Request was aborted" : "Faux error"),
      );
    case "deferred":
      if (scripted.deferred !== undefined) message.deferred = scripted.deferred;
      return builder.done("deferred");
    case "pending":
      return builder.done("stop");
    default:
      return builder.done(stopReason);
  }
}

/** False when the caller aborted. */
async function playBlock(
  builder: AssistantMessageBuilder,
  block: FauxContentBlock,
  pace: Pacing,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const open = openBlock(builder, block);
  for (const piece of pieces(blockText(block), pace)) {
    if (pace.msPerToken > 0) await delay((piece.length / FAUX_CHARS_PER_TOKEN) * pace.msPerToken, signal);
    else await Promise.resolve();
    if (signal?.aborted) return false;
    open.append(piece);
  }
  open.end();
  return true;
}

function openBlock(
  builder: AssistantMessageBuilder,
  block: FauxContentBlock,
): { append(delta: string): void; end(): void } {
  switch (block.type) {
    case "text": {
      const open = builder.openText();
      if (block.textSignature !== undefined) open.block.textSignature = block.textSignature;
      return open;
    }
    case "thinking": {
      const open = builder.openThinking();
      if (block.thinkingSignature !== undefined) open.block.thinkingSignature = block.thinkingSignature;
      if (block.redacted !== undefined) open.block.redacted = block.redacted;
      return open;
    }
    case "toolCall": {
      const open = builder.openToolCall(block.id, block.name);
      if (block.thoughtSignature !== undefined) open.block.thoughtSignature = block.thoughtSignature;
      return open;
    }
  }
}

function blockText(block: FauxContentBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "thinking" ? block.thinking : JSON.stringify(block.arguments);
}

/** Pieces of varying size; the sizes depend on the position only, so that a test sees the same ones every time. */
function* pieces(text: string, pace: Pacing): Generator<string> {
  const sizes = pace.maxChars - pace.minChars + 1;
  let start = 0;
  for (let turn = 0; start < text.length; turn++) {
    let end = start + pace.minChars + ((turn * FAUX_CHARS_PER_TOKEN) % sizes);
    const last = text.charCodeAt(end - 1);
    // A surrogate pair stays together.
    if (last >= 0xd800 && last <= 0xdbff) end++;
    yield text.slice(start, end);
    start = end;
  }
}
