import type { StreamOptions, ThinkingBudgets, ThinkingLevel } from "../../types.js";

export type BedrockThinkingDisplay = "summarized" | "omitted";

/** Options of `bedrock-converse-stream` beside the common ones. */
export interface BedrockOptions extends StreamOptions {
  /** Default: that of an ARN, `AWS_REGION`, `AWS_DEFAULT_REGION`, that of the base URL, `us-east-1`. */
  region?: string | undefined;
  /** A profile of the AWS configuration files. Default: `AWS_PROFILE`. */
  profile?: string | undefined;
  /** A Bedrock API key. Default: `AWS_BEARER_TOKEN_BEDROCK`; without one, requests are signed. */
  bearerToken?: string | undefined;
  toolChoice?: "auto" | "any" | "none" | { type: "tool"; name: string } | undefined;
  /** Absent = thinking off. */
  reasoning?: ThinkingLevel | undefined;
  thinkingBudgets?: ThinkingBudgets | undefined;
  /** Thinking between tool calls of Claude models with a budget. Default: true. */
  interleavedThinking?: boolean | undefined;
  /** Default: summarized. */
  thinkingDisplay?: BedrockThinkingDisplay | undefined;
  requestMetadata?: Record<string, string> | undefined;
}
