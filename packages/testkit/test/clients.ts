import type { ScriptedServer } from "../src/index.js";

/** A small client per wire format, written for the tests only: what it reads is what went over the wire. */
export interface Answer {
  text: string;
  thinking: string;
  signature: string;
  calls: { id: string; name: string; arguments: string }[];
  stop: string | undefined;
  usage: Record<string, unknown> | undefined;
  model: string | undefined;
  responseId: string | undefined;
  /** The provider's terminal event came. */
  complete: boolean;
  error: string | undefined;
  events: Record<string, unknown>[];
  malformed: number;
}

type Loose = Record<string, never>;

/** The others are spoken by the model layer in its own tests. */
export type ClientApi = "anthropic-messages" | "openai-completions" | "openai-responses" | "google-generative-ai";

export const apis: ClientApi[] = [
  "anthropic-messages",
  "openai-completions",
  "openai-responses",
  "google-generative-ai",
];

const tool = {
  name: "read",
  description: "Reads a file",
  schema: { type: "object", properties: { path: { type: "string" } } },
};

export const bodies: Record<ClientApi, Record<string, unknown>> = {
  "anthropic-messages": {
    model: "m-1",
    max_tokens: 100,
    stream: true,
    system: "Be brief.",
    messages: [{ role: "user", content: "hi" }],
    tools: [{ name: tool.name, description: tool.description, input_schema: tool.schema }],
  },
  "openai-completions": {
    model: "m-1",
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ],
    tools: [
      { type: "function", function: { name: tool.name, description: tool.description, parameters: tool.schema } },
    ],
  },
  "openai-responses": {
    model: "m-1",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    input: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ type: "input_text", text: "hi" }] },
    ],
    tools: [{ type: "function", name: tool.name, description: tool.description, parameters: tool.schema }],
  },
  "google-generative-ai": {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    tools: [
      { functionDeclarations: [{ name: tool.name, description: tool.description, parametersJsonSchema: tool.schema }] },
    ],
  },
};

export const keyHeaders: Record<ClientApi, Record<string, string>> = {
  "anthropic-messages": { "x-api-key": "key-1", "anthropic-version": "2023-06-01" },
  "openai-completions": { authorization: "Bearer key-1" },
  "openai-responses": { authorization: "Bearer key-1" },
  "google-generative-ai": { "x-goog-api-key": "key-1" },
};

const paths: Record<ClientApi, string> = {
  "anthropic-messages": "/v1/messages?beta=true",
  "openai-completions": "/chat/completions",
  "openai-responses": "/responses",
  "google-generative-ai": "/models/m-1:streamGenerateContent?alt=sse",
};

export function urlOf(server: ScriptedServer, api: ClientApi): string {
  return server.baseUrl(api) + paths[api];
}

export function post(
  server: ScriptedServer,
  api: ClientApi,
  body: unknown = bodies[api],
  init: RequestInit = {},
): Promise<Response> {
  return fetch(urlOf(server, api), {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeaders[api] },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}

/** Reads to the end; a broken connection ends the reading and is told in `broken`. */
export async function readAll(
  response: Response,
  onText?: (soFar: string) => void,
): Promise<{ text: string; chunks: number; broken: string | undefined }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let chunks = 0;
  if (response.body === null) return { text, chunks, broken: undefined };
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      chunks += 1;
      onText?.(text);
    }
    text += decoder.decode();
    return { text, chunks, broken: undefined };
  } catch (error) {
    return { text, chunks, broken: String(error) };
  }
}

/** Only CR and LF end a line of SSE: U+2028, which `.` and `$` of a regular expression stop at, does not. */
export function framesOf(text: string): { name: string | undefined; data: string }[] {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n\n")
    .filter((frame) => frame.includes("data:"))
    .map((frame) => ({
      name: /^event: ([^\n]*)/m.exec(frame)?.[1],
      data: /(?:^|\n)data: ([^\n]*)/.exec(frame)?.[1] ?? "",
    }));
}

export function assemble(api: ClientApi, text: string): Answer {
  const answer: Answer = {
    text: "",
    thinking: "",
    signature: "",
    calls: [],
    stop: undefined,
    usage: undefined,
    model: undefined,
    responseId: undefined,
    complete: false,
    error: undefined,
    events: [],
    malformed: 0,
  };
  for (const { name, data } of framesOf(text)) {
    if (data === "[DONE]") {
      answer.complete = true;
      continue;
    }
    let event: Loose;
    try {
      event = JSON.parse(data) as Loose;
    } catch {
      answer.malformed += 1;
      continue;
    }
    answer.events.push(event);
    if (name !== undefined && name !== event["type"]) throw new Error(`event ${name} carries ${String(event["type"])}`);
    readers[api](answer, event);
  }
  return answer;
}

// The shapes are asserted by reading them: a wrong one reads as undefined and fails the comparison.
// biome-ignore lint/suspicious/noExplicitAny: the tests read foreign JSON.
type Foreign = any;

const readers: Record<ClientApi, (answer: Answer, event: Foreign) => void> = {
  "anthropic-messages"(answer, event) {
    switch (event.type) {
      case "message_start":
        answer.model = event.message.model;
        answer.responseId = event.message.id;
        break;
      case "content_block_start":
        if (event.content_block.type === "tool_use") {
          answer.calls.push({ id: event.content_block.id, name: event.content_block.name, arguments: "" });
        }
        break;
      case "content_block_delta": {
        const { delta } = event;
        answer.text += delta.text ?? "";
        answer.thinking += delta.thinking ?? "";
        answer.signature += delta.signature ?? "";
        const call = answer.calls.at(-1);
        if (delta.type === "input_json_delta" && call !== undefined) call.arguments += delta.partial_json;
        break;
      }
      case "message_delta":
        answer.stop = event.delta.stop_reason;
        answer.usage = event.usage;
        break;
      case "message_stop":
        answer.complete = true;
        break;
      case "error":
        answer.error = event.error.message;
        break;
    }
  },
  "openai-completions"(answer, event) {
    if (event.error !== undefined) {
      answer.error = event.error.message;
      return;
    }
    answer.model = event.model;
    answer.responseId = event.id;
    if (event.usage) answer.usage = event.usage;
    const choice = event.choices[0];
    if (choice === undefined) return;
    answer.stop = choice.finish_reason ?? answer.stop;
    answer.text += choice.delta.content ?? "";
    answer.thinking += choice.delta.reasoning_content ?? choice.delta.reasoning ?? "";
    for (const part of choice.delta.tool_calls ?? []) {
      answer.calls[part.index] ??= { id: part.id, name: part.function.name, arguments: "" };
      const call = answer.calls[part.index];
      if (call !== undefined) call.arguments += part.function.arguments;
    }
  },
  "openai-responses"(answer, event) {
    const call = answer.calls.at(-1);
    switch (event.type) {
      case "response.created":
        answer.model = event.response.model;
        answer.responseId = event.response.id;
        break;
      case "response.output_item.added":
        if (event.item.type === "function_call") {
          answer.calls.push({ id: event.item.call_id, name: event.item.name, arguments: "" });
        }
        break;
      case "response.output_text.delta":
        answer.text += event.delta;
        break;
      case "response.reasoning_summary_text.delta":
        answer.thinking += event.delta;
        break;
      case "response.function_call_arguments.delta":
        if (call !== undefined) call.arguments += event.delta;
        break;
      case "response.output_item.done":
        if (event.item.type === "reasoning") answer.signature = event.item.encrypted_content ?? "";
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        answer.complete = true;
        answer.usage = event.response.usage;
        answer.stop = event.response.incomplete_details?.reason ?? event.response.status;
        break;
      case "error":
        answer.error = event.message;
        break;
    }
  },
  "google-generative-ai"(answer, event) {
    if (event.error !== undefined) {
      answer.error = event.error.message;
      return;
    }
    answer.model = event.modelVersion;
    answer.responseId = event.responseId;
    const candidate = event.candidates[0];
    for (const part of candidate.content.parts) {
      if (part.thought === true) answer.thinking += part.text;
      else answer.text += part.text ?? "";
      answer.signature += part.thoughtSignature ?? "";
      if (part.functionCall !== undefined) {
        const { id, name, args } = part.functionCall;
        answer.calls.push({ id, name, arguments: JSON.stringify(args) });
      }
    }
    if (candidate.finishReason !== undefined) {
      answer.stop = candidate.finishReason;
      answer.usage = event.usageMetadata;
      answer.complete = true;
    }
  },
};
