/**
 * Records every request as a line of JSON: what was sent, how long it was, what came back and when. It tags requests
 * with a header of the session, and `--max-tokens` caps answers.
 * Start: `pi -e flight-recorder.ts --recording requests.jsonl`
 */
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function flightRecorder(pi: ExtensionAPI) {
  pi.registerFlag("recording", { type: "string", description: "File of requests", default: "requests.jsonl" });
  pi.registerFlag("max-tokens", { type: "string", description: "Longest answer, in tokens" });
  let at = 0;
  let characters = 0;

  const record = (cwd: string, line: object) =>
    appendFileSync(resolve(cwd, String(pi.getFlag("recording"))), `${JSON.stringify(line)}\n`);

  // With the system prompt: what the model really reads.
  pi.on("context_with_system", ({ messages }) => {
    characters = JSON.stringify(messages).length;
  });
  pi.on("before_provider_headers", ({ headers }, ctx) => {
    headers["x-session"] = ctx.sessionManager.getSessionId();
    // Some gateways log it; nobody needs it.
    headers["user-agent"] = null;
  });
  pi.on("before_provider_request", ({ payload }, ctx) => {
    at = Date.now();
    const cap = Number(pi.getFlag("max-tokens") ?? 0);
    const sent = cap > 0 ? { ...(payload as object), max_tokens: cap } : payload;
    record(ctx.cwd, { type: "request", model: ctx.model?.id, characters, payload: sent });
    return sent;
  });
  pi.on("after_provider_response", ({ status, headers }, ctx) => {
    record(ctx.cwd, { type: "response", status, ms: Date.now() - at, contentType: headers["content-type"] });
  });
}
