import { Readable } from "node:stream";
import type { BedrockRuntimeClient, BedrockRuntimeClientConfig } from "@aws-sdk/client-bedrock-runtime";
import { type HttpResponse, HttpStatusError, postJson } from "../../http.js";
import { getClientVersion } from "../../identity.js";
import { AMBIENT_CREDENTIALS } from "../../providers/env-keys.js";
import type { Model, StreamOptions } from "../../types.js";
import { environmentVariable } from "../environment.js";
import { mergeHeaders } from "../headers.js";
import type { BedrockOptions } from "./bedrock-options.js";
import type { BedrockTarget } from "./bedrock-target.js";

/** The part of a request of the SDK that is sent. */
interface SdkRequest {
  protocol: string;
  hostname: string;
  port?: number | undefined;
  path: string;
  query?: Record<string, string | string[] | null> | undefined;
  headers: Record<string, string>;
  body?: unknown;
}

/** What has been seen of the server, for the texts of failures and for hooks. */
export interface BedrockExchange {
  client: BedrockRuntimeClient;
  /** The answer, whose body the SDK does not see; undefined when there is none. */
  response(): HttpResponse | undefined;
  /** The last refusal, if it was the last answer. */
  refusal(): HttpStatusError | undefined;
}

/** Headers that belong to the signature. */
const RESERVED_HEADERS = /^(?:x-amz-.*|authorization|host)$/;
/** The HTTP door finds these out by itself. */
const OWN_HEADERS = { host: null, "content-length": null };

/**
 * A client whose requests leave through the HTTP door: proxies, time limits and the caller's fetch function hold for it
 * as for all other APIs. The SDK finds credentials, signs, retries and names errors. It is loaded here.
 */
export async function openBedrock(
  model: Model,
  options: BedrockOptions,
  target: BedrockTarget,
): Promise<BedrockExchange> {
  const { BedrockRuntimeClient } = await import("./aws-sdk.js");
  let open: HttpResponse | undefined;
  let refusal: HttpStatusError | undefined;
  const handle = async (request: SdkRequest, { abortSignal }: { abortSignal?: unknown } = {}): Promise<unknown> => {
    refusal = undefined;
    try {
      open = await postJson({
        url: urlOf(request),
        headers: mergeHeaders(request.headers, OWN_HEADERS),
        body: request.body as string | Uint8Array,
        env: options.env,
        fetch: options.fetch,
        signal: abortSignal as AbortSignal | undefined,
        timeoutMs: options.timeoutMs,
        idleTimeoutMs: options.idleTimeoutMs,
        connectTimeoutMs: options.connectTimeoutMs,
      });
    } catch (error) {
      if (!(error instanceof HttpStatusError)) throw error;
      refusal = error;
      return {
        response: { statusCode: error.status, headers: error.headers, body: Readable.from([Buffer.from(error.body)]) },
      };
    }
    // The events are read from the answer itself.
    return { response: { statusCode: open.status, headers: open.headers, body: Readable.from([]) } };
  };
  const config = {
    ...authentication(options, target),
    ...(target.region === undefined ? {} : { region: target.region }),
    ...(target.profile === undefined ? {} : { profile: target.profile }),
    ...(target.endpoint === undefined ? {} : { endpoint: target.endpoint }),
    customUserAgent: [["pi", getClientVersion(options.identity)]],
    requestHandler: {
      metadata: { handlerProtocol: "http/1.1" },
      handle,
      updateHttpClientConfig: () => undefined,
      httpHandlerConfigs: () => ({}),
    },
  } as BedrockRuntimeClientConfig;
  const client = withoutVersionWarning(() => new BedrockRuntimeClient(config));
  addHeaders(client, model, options);
  return {
    client,
    response: () => open,
    refusal: () => refusal,
  };
}

const WARNING_SWITCH = "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED";

/**
 * The SDK announces on stderr from when on it will not run on this Node. Its version is pinned to one that does, and
 * stderr belongs to the running mode.
 */
function withoutVersionWarning<T>(run: () => T): T {
  const before = process.env[WARNING_SWITCH];
  process.env[WARNING_SWITCH] = "true";
  try {
    return run();
  } finally {
    if (before === undefined) delete process.env[WARNING_SWITCH];
    else process.env[WARNING_SWITCH] = before;
  }
}

/** The key of a request: a Bedrock API key, else what signs it. */
function authentication(options: BedrockOptions, target: BedrockTarget): BedrockRuntimeClientConfig {
  const apiKey = options.apiKey?.trim() === AMBIENT_CREDENTIALS ? undefined : options.apiKey?.trim();
  const token = apiKey || options.bearerToken || environmentVariable("AWS_BEARER_TOKEN_BEDROCK", options);
  if (token) return { token: { token }, authSchemePreference: ["httpBearerAuth"] };
  // Some gateways do not look at the signature.
  if (environmentVariable("AWS_BEDROCK_SKIP_AUTH", options) === "1") {
    return { credentials: { accessKeyId: "none", secretAccessKey: "none" } };
  }
  const scoped = scopedCredentials(options);
  return scoped && target.profile === undefined ? { credentials: scoped } : {};
}

/** Credentials of the provider's own environment, which the SDK does not know. */
function scopedCredentials({ env }: StreamOptions): BedrockRuntimeClientConfig["credentials"] | undefined {
  const accessKeyId = env?.["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env?.["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey) return undefined;
  const sessionToken = env?.["AWS_SESSION_TOKEN"];
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** Headers of model and request, before the request is signed. */
function addHeaders(client: BedrockRuntimeClient, model: Model, options: BedrockOptions): void {
  const entries = Object.entries(mergeHeaders(model.headers, options.headers));
  const headers = entries.filter(([name]) => !RESERVED_HEADERS.test(name));
  if (headers.length === 0) return;
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as SdkRequest).headers, Object.fromEntries(headers));
      return next(args);
    },
    { step: "build", name: "piHeaders", priority: "low" },
  );
}

function urlOf({ protocol, hostname, port, path, query }: SdkRequest): string {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) url.searchParams.append(name, one);
  }
  return url.href;
}
