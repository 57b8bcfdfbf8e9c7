import type { Model, TranscriptContext } from "../../types.js";
import { cacheRetention } from "../cache-retention.js";
import { responsesCompat } from "../openai-responses/responses-compat.js";
import { baseBody, cacheFields, ENCRYPTED_REASONING, responsesEffort } from "../openai-responses/responses-request.js";
import type { OpenAICodexResponsesOptions } from "./codex-options.js";

/** The request body: that of the Responses API with what the backend of ChatGPT wants besides. Source: section 5. */
export function codexBody(
  model: Model,
  context: TranscriptContext,
  options: OpenAICodexResponsesOptions = {},
): Record<string, unknown> {
  const compat = responsesCompat(model, { supportsStrictMode: true });
  const body = baseBody(
    model,
    context,
    { toolChoice: "auto", ...withoutUndefined(options) },
    {
      compat,
      cacheFields: cacheFields(compat, options),
      plainStrict: null,
    },
  );
  body["text"] = { verbosity: options.textVerbosity ?? "low" };
  body["include"] = ENCRYPTED_REASONING;
  body["parallel_tool_calls"] = true;
  const reasoning = codexReasoning(model, options);
  if (reasoning) body["reasoning"] = reasoning;
  return Object.assign(body, options.samplingParams);
}

function codexReasoning(model: Model, options: OpenAICodexResponsesOptions): Record<string, unknown> | undefined {
  if (!model.reasoning) return undefined;
  const off = model.thinkingLevelMap?.off;
  const effort = responsesEffort(model, options) ?? (off === null ? undefined : (off ?? "none"));
  if (effort === undefined) return undefined;
  return { effort, summary: options.reasoningSummary === undefined ? "auto" : options.reasoningSummary };
}

/** An option that is there but undefined must not hide a default. */
function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

/** The session by which the backend keeps requests together. */
export function codexSession(options: OpenAICodexResponsesOptions | undefined): string | undefined {
  return cacheRetention(options) === "none" ? undefined : options?.sessionId;
}

/** The address of a request; base URLs that already have a part of the path are completed. */
export function codexUrl(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  if (base.endsWith("/codex/responses")) return base;
  return base.endsWith("/codex") ? `${base}/responses` : `${base}/codex/responses`;
}
