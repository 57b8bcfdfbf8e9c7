import type { WireApi } from "./types.js";

/** What a path leads to; `style` is the provider whose errors it gets. */
export type Route =
  | { kind: "generate"; api: WireApi }
  | { kind: "models"; style: WireApi }
  | { kind: "unknown"; style: WireApi };

const generatePaths: Record<string, WireApi> = {
  "/v1/messages": "anthropic-messages",
  "/v1/chat/completions": "openai-completions",
  "/v1/responses": "openai-responses",
};

const googleGenerate = /^\/v1beta\/models\/[^/:]+:streamGenerateContent$/;

/** The `baseUrl` suffix a client of the API appends its own path to. */
export const basePaths: Record<WireApi, string> = {
  "anthropic-messages": "",
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "google-generative-ai": "/v1beta",
};

export function routeOf(pathname: string, headers: Record<string, string>): Route {
  const api = generatePaths[pathname];
  if (api !== undefined) return { kind: "generate", api };
  if (googleGenerate.test(pathname)) return { kind: "generate", api: "google-generative-ai" };
  const style = styleOf(pathname, headers);
  if (pathname === "/v1/models" || pathname === "/v1beta/models") return { kind: "models", style };
  return { kind: "unknown", style };
}

/** Anthropic and OpenAI share `/v1`; the version header tells their clients apart. */
function styleOf(pathname: string, headers: Record<string, string>): WireApi {
  if (pathname.startsWith("/v1beta")) return "google-generative-ai";
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
    case "openai-completions":
    case "openai-responses":
      return {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 1767225600, owned_by: "scripted" })),
      };
  }
}
