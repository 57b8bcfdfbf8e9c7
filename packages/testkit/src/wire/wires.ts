import type { WireApi } from "../types.js";
import { anthropicMessages } from "./anthropic-messages.js";
import { bedrockConverseStream } from "./bedrock-converse-stream.js";
import { googleGenerativeAi } from "./google-generative-ai.js";
import { mistralConversations } from "./mistral-conversations.js";
import { openAiCompletions } from "./openai-completions.js";
import { openAiResponses } from "./openai-responses.js";
import type { Wire } from "./wire.js";

/** Every wire format the server speaks. */
export const wires: Record<WireApi, Wire> = {
  "anthropic-messages": anthropicMessages,
  "openai-completions": openAiCompletions,
  "openai-responses": openAiResponses,
  "google-generative-ai": googleGenerativeAi,
  "mistral-conversations": mistralConversations,
  "bedrock-converse-stream": bedrockConverseStream,
};
