import { AssistantMessageBuilder } from "../assistant-message-builder.js";
import { appendAssistantMessageDiagnostic, createAssistantMessageDiagnostic } from "../diagnostics.js";
import { thrownText } from "../errors/cause.js";
import { AssistantMessageEventStream } from "../event-stream.js";
import {
  HttpAbortError,
  type HttpRequest,
  type HttpResponse,
  HttpStatusError,
  postJson,
  requestedDelay,
  secretsOf,
  withoutSecrets,
  withRetries,
} from "../http.js";
import type { AssistantMessageDiagnostic, Model, ModelThinkingLevel, StreamOptions } from "../types.js";
import { mergeHeaders } from "./headers.js";
import { BodyBeginning } from "./not-an-event-stream.js";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.js";

/** Turns the events of one response into steps of the message. Pure: no waiting, no I/O. */
export interface StreamDecoder {
  /**
   * Takes one event; true when it was the last one.
   * @throws Error whose message becomes the `errorMessage` of the answer
   */
  take(event: ServerSentEvent): boolean;
  /**
   * After the last event: closes the message.
   * @throws Error when something is missing
   */
  finish(): void;
}

/** What one API puts into the common course of a request. */
export interface RequestPlan {
  /** May throw: that is a failed answer. */
  url: () => string;
  /** May have to wait for a sign-in. */
  headers: (body: Record<string, unknown>) => Record<string, string> | Promise<Record<string, string>>;
  /** Builds the body. May throw: that is a failed answer. */
  body: () => Record<string, unknown>;
  /** What goes over the wire for a body, which a hook may have replaced. Default: its JSON text. */
  encode?: (payload: unknown) => string | Uint8Array;
  decoder: (builder: AssistantMessageBuilder) => StreamDecoder;
  describeStatus: (error: HttpStatusError) => string;
  /**
   * Sends a body another way than over HTTP; undefined when this one has to go over HTTP after all. A response that is
   * no stream of bytes stands in for one.
   */
  detour?: (payload: unknown, builder: AssistantMessageBuilder) => Promise<HttpResponse | undefined>;
  /** Where the API wants other texts or another way of retrying than the rest. */
  http?: Partial<HttpRequest>;
  /**
   * Looks at a refusal of `payload`: a diagnostic says that the body was changed and is worth sending once more.
   */
  recover?: (error: HttpStatusError, payload: Record<string, unknown>) => AssistantMessageDiagnostic | undefined;
}

/** What was asked for, as the message records it. */
export interface RequestedThinking {
  thinkingLevel?: ModelThinkingLevel | undefined;
  providerThinkingLevel?: string | undefined;
}

/**
 * The course of a request that all streaming APIs share: build, `onPayload`, send, `onResponse`, `start`, events.
 * Returns at once; every failure ends the stream with an `error` event that keeps what had arrived.
 */
export function runRequest(
  model: Model,
  options: StreamOptions | undefined,
  thinking: RequestedThinking,
  plan: RequestPlan,
): AssistantMessageEventStream {
  const secrets: string[] = [];
  const describe = (error: unknown): string =>
    error instanceof HttpStatusError ? plan.describeStatus(error) : thrownText(error);
  return runCourse(
    model,
    options,
    thinking,
    (builder) => followPlan(model, options ?? {}, plan, builder, secrets),
    (error) => withoutSecrets(describe(error), secrets),
  );
}

/**
 * What `runRequest` and APIs with a transport of their own have in common: the stream of one answer, ended by `follow`
 * or, when that fails, by an `error` event with what had arrived.
 */
export function runCourse(
  model: Model,
  options: StreamOptions | undefined,
  thinking: RequestedThinking,
  follow: (builder: AssistantMessageBuilder) => Promise<void>,
  describe: (error: unknown) => string,
): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  const builder = new AssistantMessageBuilder(model, stream, thinking.thinkingLevel);
  if (thinking.providerThinkingLevel !== undefined) {
    builder.message.providerThinkingLevel = thinking.providerThinkingLevel;
  }
  void follow(builder).catch((error: unknown) => {
    if (options?.signal?.aborted) {
      builder.fail("aborted", "Request was aborted");
      return;
    }
    noteRequestedDelay(builder, error);
    builder.fail(
      "error",
      described(() => withoutSecrets(describe(error), givenSecrets(model, options))),
    );
  });
  return stream;
}

/** Whoever waits for the answer hears of its failure, also when the failure cannot be described. */
function described(describe: () => string): string {
  try {
    return describe();
  } catch (problem) {
    return `The request failed, and its error cannot be shown: ${thrownText(problem)}`;
  }
}

/** What only the caller and the provider may know, and an error in the stream could quote. */
function givenSecrets(model: Model, options: StreamOptions | undefined): string[] {
  const headers = mergeHeaders(model.headers, options?.headers);
  return [options?.apiKey?.trim() ?? "", ...secretsOf(headers, model.baseUrl)];
}

/** Whoever asks again later should know how long the server wants to be left alone. */
function noteRequestedDelay(builder: AssistantMessageBuilder, error: unknown): void {
  const delayMs = error instanceof HttpStatusError ? requestedDelay(error.headers, Date.now()) : undefined;
  if (delayMs === undefined) return;
  appendAssistantMessageDiagnostic(
    builder.message,
    createAssistantMessageDiagnostic("retry_after", undefined, { delayMs }),
  );
}

async function followPlan(
  model: Model,
  options: StreamOptions,
  plan: RequestPlan,
  builder: AssistantMessageBuilder,
  secrets: string[],
): Promise<void> {
  const response = await send(model, options, plan, builder, secrets);
  try {
    await options.onResponse?.({ status: response.status, headers: response.headers }, model);
    if (options.signal?.aborted) throw new HttpAbortError();
    builder.start();
    const decoder = plan.decoder(builder);
    const body = new BodyBeginning(response);
    const handle = eventHandler(model, options, decoder);
    let hasEvents = false;
    await readServerSentEvents(body, (event) => {
      hasEvents = true;
      return handle(event);
    });
    if (hasEvents) decoder.finish();
    else finishWithoutEvents(decoder, body);
    response.finish();
  } catch (error) {
    response.close();
    throw error;
  }
}

/** @throws Error that says what came in place of events */
function finishWithoutEvents(decoder: StreamDecoder, body: BodyBeginning): void {
  try {
    decoder.finish();
  } catch (error) {
    const cause = body.description();
    throw cause === undefined ? error : new Error(`${thrownText(error)}: ${cause}`, { cause: error });
  }
}

/**
 * Builds and sends the body; a second time when the plan knows a way around the refusal.
 * @param secrets takes up those that are sent
 */
async function send(
  model: Model,
  options: StreamOptions,
  plan: RequestPlan,
  builder: AssistantMessageBuilder,
  secrets: string[],
  isSecond = false,
): Promise<HttpResponse> {
  const payload = plan.body();
  const replacement = await options.onPayload?.(payload, model);
  try {
    const body = replacement === undefined ? payload : replacement;
    const request: Omit<HttpRequest, "url" | "headers" | "body"> = {
      env: options.env,
      fetch: options.fetch,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      idleTimeoutMs: options.idleTimeoutMs,
      connectTimeoutMs: options.connectTimeoutMs,
      maxRetries: options.maxRetries,
      maxRetryDelayMs: options.maxRetryDelayMs,
      describeStatus: plan.describeStatus,
      ...plan.http,
    };
    const { detour } = plan;
    const other = detour && (await withRetries(request, () => detour(body, builder)));
    if (other) return other;
    const headers = await plan.headers(payload);
    secrets.push(...secretsOf(headers));
    return await postJson({
      ...request,
      url: plan.url(),
      headers,
      body: plan.encode ? plan.encode(body) : JSON.stringify(body),
    });
  } catch (error) {
    const diagnostic = error instanceof HttpStatusError && !isSecond ? plan.recover?.(error, payload) : undefined;
    if (!diagnostic) throw error;
    appendAssistantMessageDiagnostic(builder.message, diagnostic);
    return send(model, options, plan, builder, secrets, true);
  }
}

/** Hands events to the decoder, and to the observer first if there is one. Waits only for an observer that asks for it. */
function eventHandler(
  model: Model,
  options: StreamOptions,
  decoder: StreamDecoder,
): Parameters<typeof readServerSentEvents>[1] {
  const { onProviderStreamEvent, signal } = options;
  const take = (event: ServerSentEvent): boolean => {
    // Events that were already received must not outrun an abort.
    if (signal?.aborted) throw new HttpAbortError();
    return decoder.take(event);
  };
  if (!onProviderStreamEvent) return take;
  return (event) => {
    const seen = onProviderStreamEvent(parsedForObserver(event.data), model);
    return seen instanceof Promise ? seen.then(() => take(event)) : take(event);
  };
}

/** The event as an observer sees it: its data as JSON, or the text where it is none. */
function parsedForObserver(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
