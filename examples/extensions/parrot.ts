/**
 * A provider of one's own, with a model that repeats what you say, and a sign-in in place of a key.
 * Start: `pi -e parrot.ts`, `/login` with the word "cracker", `/model parrot/polly`; `/shoo` takes it away again.
 */
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type Model,
  type SimpleStreamOptions,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const YEAR_MS = 365 * 24 * 3600 * 1000;

function repeat(
  model: Model,
  { messages }: TranscriptContext,
  options?: SimpleStreamOptions,
): AssistantMessageEventStream {
  const last = messages.findLast(({ role }) => role === "user");
  const said = typeof last?.content === "string" ? last.content : last?.content.find((part) => part.type === "text");
  const text = `${typeof said === "string" ? said : said?.type === "text" ? said.text : "Squawk"}! ${options?.apiKey}`;
  const message: AssistantMessage = {
    role: "assistant",
    content: [{ type: "text", text: "" }],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { ...free, totalTokens: 0, cost: { ...free, total: 0 } },
    stopReason: "stop",
    timestamp: Date.now(),
  };
  const stream = createAssistantMessageEventStream();
  stream.push({ type: "start", partial: message });
  stream.push({ type: "text_start", contentIndex: 0, partial: message });
  for (const delta of text.split(/(?<= )/)) {
    const [block] = message.content;
    if (block?.type === "text") block.text += delta;
    stream.push({ type: "text_delta", contentIndex: 0, delta, partial: message });
  }
  stream.push({ type: "text_end", contentIndex: 0, content: text, partial: message });
  stream.push({ type: "done", reason: "stop", message });
  return stream;
}

export default function parrot(pi: ExtensionAPI) {
  pi.registerProvider("parrot", {
    name: "Parrot",
    api: "parrot-talk",
    baseUrl: "parrot://cage",
    models: [
      {
        id: "polly",
        name: "Polly",
        reasoning: false,
        input: ["text"],
        cost: free,
        contextWindow: 8000,
        maxTokens: 500,
      },
    ],
    streamSimple: repeat,
    oauth: {
      name: "Parrot",
      async login({ onPrompt }) {
        const word = await onPrompt({ message: "What does Polly want?" });
        if (word.trim() !== "cracker") throw new Error("Polly does not want that.");
        return { access: "crunch", refresh: "more", expires: Date.now() + YEAR_MS };
      },
      refreshToken: async (credentials) => ({ ...credentials, expires: Date.now() + YEAR_MS }),
      getApiKey: ({ access }) => access,
    },
  });
  pi.registerCommand("shoo", {
    description: "Take the parrot away",
    handler: async (_args, ctx) => {
      pi.unregisterProvider("parrot");
      ctx.ui.notify("It flew away.");
    },
  });
}
