import type { WireApi } from "../types.js";
import { anthropicMessages } from "./anthropic-messages.js";
import { openAiCompletions } from "./openai-completions.js";
import type { Wire } from "./wire.js";

/** Every wire format the server speaks. */
export const wires: Record<WireApi, Wire> = {
  "anthropic-messages": anthropicMessages,
  "openai-completions": openAiCompletions,
  // Not spoken yet; their paths answer in the wrong dialect for the moment.
  "openai-responses": openAiCompletions,
  "google-generative-ai": openAiCompletions,
};
