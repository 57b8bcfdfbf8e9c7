import { type JsonObject, stringOf } from "../json.js";

/** What the backend of ChatGPT wants beyond the Responses API. */
export function* codexProblems(
  headers: Record<string, string>,
  body: JsonObject,
  transport: "http" | "socket" = "http",
): Generator<string> {
  if (stringOf(headers["chatgpt-account-id"]) === "") yield "Missing header: chatgpt-account-id";
  const beta = transport === "http" ? "responses=" : "responses_websockets=";
  if (headers["openai-beta"]?.startsWith(beta) !== true) yield "Missing header: OpenAI-Beta";
  if (body["store"] !== false) yield "Store must be set to false";
}
