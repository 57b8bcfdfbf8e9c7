import type { ServedApi, WireApi } from "./types.js";

/** What a path leads to; `style` is the provider whose errors it gets. */
export type Route =
  | { kind: "generate"; api: WireApi; isCodex?: true }
  | { kind: "models"; style: WireApi }
  | { kind: "unknown"; style: WireApi };

const generatePaths: Record<string, WireApi> = {
  "/v1/messages": "anthropic-messages",
  "/v1/chat/completions": "openai-completions",
  "/v1/responses": "openai-responses",
  "/azure/openai/v1/responses": "openai-responses",
  "/mistral/v1/chat/completions": "mistral-conversations",
};

/** Where the backend of ChatGPT answers. */
export const codexPath = "/backend-api/codex/responses";
/** Vertex has the models of a publisher, with or without the project they are paid by. */
const googleGenerate =
  /^(?:\/v1beta|\/vertex\/v1(?:\/projects\/[^/]+\/locations\/[^/]+)?\/publishers\/google)\/models\/[^/:]+:streamGenerateContent$/;
const bedrockGenerate = /^\/bedrock\/model\/[^/]+\/converse-stream$/;

/** The `baseUrl` suffix a client of the API appends its own path to. */
export const basePaths: Record<ServedApi, string> = {
  "anthropic-messages": "",
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "google-generative-ai": "/v1beta",
  "mistral-conversations": "/mistral",
  "bedrock-converse-stream": "/bedrock",
  "azure-openai-responses": "/azure/openai/v1",
  "openai-codex-responses": "/backend-api",
  "google-vertex": "/vertex",
};

export function routeOf(pathname: string, headers: Record<string, string>): Route {
  const api = generatePaths[pathname];
  if (api !== undefined) return { kind: "generate", api };
  if (pathname === codexPath) return { kind: "generate", api: "openai-responses", isCodex: true };
  if (googleGenerate.test(pathname)) return { kind: "generate", api: "google-generative-ai" };
  if (bedrockGenerate.test(pathname)) return { kind: "generate", api: "bedrock-converse-stream" };
  const style = styleOf(pathname, headers);
  if (pathname === "/v1/models" || pathname === "/v1beta/models") return { kind: "models", style };
  return { kind: "unknown", style };
}

/** Anthropic and OpenAI share `/v1`; the version header tells their clients apart. */
function styleOf(pathname: string, headers: Record<string, string>): WireApi {
  if (pathname.startsWith("/mistral")) return "mistral-conversations";
  if (pathname.startsWith("/bedrock")) return "bedrock-converse-stream";
  if (pathname.startsWith("/v1beta") || pathname.startsWith("/vertex")) return "google-generative-ai";
  if (pathname.startsWith("/v1/messages") || "anthropic-version" in headers) return "anthropic-messages";
  return pathname.startsWith("/v1/responses") ? "openai-responses" : "openai-completions";
}

/** The model list in the shape of the provider. */
export function modelList(style: WireApi, models: readonly string[]): object {
  switch (style) {
    case "anthropic-messages":
      return {
        data: models.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" })),
        has_more: false,
        first_id: models[0] ?? null,
        last_id: models.at(-1) ?? null,
      };
    case "google-generative-ai":
      return {
        models: models.map((id) => ({
          name: `models/${id}`,
          displayName: id,
          supportedGenerationMethods: ["generateContent", "countTokens"],
        })),
      };
    case "bedrock-converse-stream":
      return { modelSummaries: models.map((id) => ({ modelId: id, modelName: id })) };
    case "openai-completions":
    case "openai-responses":
    case "mistral-conversations":
      return {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 1767225600, owned_by: "scripted" })),
      };
  }
}
