/**
 * The texts by which failures of providers are recognised. `errorMessage` is the only interface they share.
 * Source: llm-wire.md section 14.
 */

const ignoreCase = (sources: readonly string[]): readonly RegExp[] => sources.map((source) => new RegExp(source, "i"));

/** Compiled when first asked for: failures are rare, and start-up should not pay for them. */
function lazily(sources: readonly string[]): () => readonly RegExp[] {
  let patterns: readonly RegExp[] | undefined;
  return () => {
    patterns ??= ignoreCase(sources);
    return patterns;
  };
}

/** The request did not fit into the model's context window. */
export const overflowPatterns = lazily([
  "prompt (?:is )?too long",
  "prompt exceeds max length",
  "request_too_large",
  "input is too long for requested model",
  "exceeds the context window",
  String.raw`exceeds (?:the )?(?:model'?s )?maximum context length(?: of [\d,]+ tokens?|\s*\([\d,]+\))`,
  "context window exceeded",
  "input token count.*exceeds the maximum",
  String.raw`maximum prompt length is \d+`,
  "reduce the length of the messages",
  String.raw`maximum context length is \d+ tokens`,
  String.raw`exceeds (?:the )?maximum allowed input length of [\d,]+ tokens?`,
  String.raw`input \(\d+ tokens\) is longer than the model'?s context length \(\d+ tokens\)`,
  String.raw`exceeds the limit of \d+`,
  "exceeds the available context size",
  "greater than the context length",
  "context window exceeds limit",
  "exceeded model token limit",
  String.raw`too large for model with \d+ maximum context length`,
  String.raw`prompt has [\d,]+ tokens?, but the configured context size is [\d,]+ tokens?`,
  "model_context_window_exceeded",
  "prompt too long; exceeded (?:max )?context length",
  "range of input length should be",
  "context[_ ]length[_ ]exceeded",
  "too many tokens",
  "token limit exceeded",
  String.raw`^(?:[\w -]+ API error \(413\):|413(?:\s|:|$))`,
]);

/** Overflow texts of one provider only. */
export const cerebrasOverflowPatterns = lazily([String.raw`^4(?:00|13)\s*(?:status code)?\s*\(no body\)`]);

/** Texts that speak of tokens but mean the pace of requests. */
export const overflowExclusions = lazily([
  "^(Throttling error|Service unavailable):",
  "rate limit",
  "too many requests",
]);

/** A quota or an account is exhausted: trying again cannot help. */
export const quotaPatterns = lazily([
  "GoUsageLimitError",
  "FreeUsageLimitError",
  "Monthly usage limit reached",
  "available balance",
  "insufficient_quota",
  "out of budget",
  "quota exceeded",
  "billing",
  "subscription_sharing_usage_limit_exceeded",
  "subscription_sharing_workplace_individual_usage_limit_exceeded",
  String.raw`"code"\s*:\s*"?1308(?![0-9])`,
]);

/** Limits of a subscription, as this layer words them. */
export const usageLimitPatterns = lazily(["^You have hit your ChatGPT usage limit"]);

/** The provider does not know who is asking, or does not let them. Of no list: only read where nothing else fits. */
export const authenticationPatterns = lazily([
  String.raw`^(?:401|403)(?:\s|:|$)`,
  String.raw`API error \((?:401|403)\)`,
  String.raw`\(status (?:401|403)\)`,
  String.raw`"code"\s*:\s*"?(?:401|403)(?![0-9])`,
  "^No API key for provider",
  "^Provider is not configured",
  "OAuth refresh failed",
  "API key auth failed",
  "^No AWS credentials for Bedrock",
  "^Vertex AI sign-in",
  "names no ChatGPT account",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "authentication_error",
  "permission_error",
  "AccessDenied",
  "UnrecognizedClient",
  "ExpiredToken",
  "invalid.{0,8}api.?key",
  "api.?key (?:is )?not valid",
]);

/** The same request may succeed a little later. */
export const retryablePatterns = lazily([
  "overloaded",
  "server_busy",
  "servers are currently busy",
  "currently experiencing high demand",
  "model is at capacity",
  "rate.?limit",
  "too many requests",
  "(?<![a-z0-9])(?:429|500|502|503|504|520|524)(?![a-z0-9])",
  "service.?(?:is.?)?(?:temporarily.?)?unavailable",
  "server.?error",
  "internal.?error",
  "provider.?returned.?(?:an.?)?error",
  "exceeded request buffer limit while retrying upstream",
  "unable to forward upstream",
  "upstream.?request.?failed",
  "upstream_stream_read_error",
  "stream was interrupted",
  "http/?2 stream failed",
  "network.?error",
  "connection.?(error|refused|lost|closed)",
  "other side closed",
  "fetch failed",
  String.raw`request to \S+ failed, reason:`,
  "getaddrinfo",
  "(?<![a-z0-9_])(?:ECONNRESET|ECONNABORTED|ECONNREFUSED|ETIMEDOUT|EPIPE)(?![a-z0-9_])",
  "connection reset by peer",
  "ENOTFOUND",
  "EAI_AGAIN",
  "upstream.?connect",
  "reset before headers",
  "socket hang up",
  "socket connection was closed",
  "timed? out",
  "timeout",
  "terminated",
  "websocket.?closed",
  "websocket.?error",
  "websocket.?connection.?limit.?reached",
  "ended without",
  "stream ended before message_stop",
  "stream ended before a terminal response event",
  "http2 request did not get a response",
  "stream disconnected before completion",
  "cut short after the reply had begun",
  "pending stream has been canceled",
  "retry delay",
  "you can retry your request",
  "try your request again",
  "please retry your request",
  "ResourceExhausted",
  "subscription_sharing_(usage|user)_unavailable",
]);
