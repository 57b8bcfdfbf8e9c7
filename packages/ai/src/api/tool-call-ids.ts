import { HASH_LENGTH, madeToolCallId, shortHash } from "../text/short-hash.js";

export { shortHash };

/** Tool call ids of other models in the forms the APIs accept. Rules: llm-wire.md section 1. */

const IDENTIFIER_LIMIT = 64;
const COMPLETIONS_LIMIT = 40;
const RESPONSES_LIMIT = 64;

function sanitized(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** For Google and Bedrock, as for Anthropic: letters, digits, `_` and `-`, at most 64. */
export function identifierToolCallId(id: string): string {
  return sanitized(id).slice(0, IDENTIFIER_LIMIT);
}

/** An id of the model itself for Anthropic, which sets no limit of its own to the length. */
export function anthropicOwnToolCallId(id: string): string {
  return sanitized(id);
}

/** An id of the model itself for Chat Completions. */
export function completionsOwnToolCallId(id: string, provider: string): string {
  if (provider !== "openai") return withinReason(id);
  // Ids of two halves are none of its own, and a half that is replaced could make them too long.
  return id.includes("|") ? completionsToolCallId(id, provider) : id.slice(0, COMPLETIONS_LIMIT);
}

/** For Chat Completions: ids of two halves become one of at most 40 characters; `openai` itself accepts no longer ones. */
export function completionsToolCallId(id: string, provider: string): string {
  const bar = id.indexOf("|");
  if (bar < 0) return provider === "openai" ? id.slice(0, COMPLETIONS_LIMIT) : withinReason(id);
  const call = sanitized(id.slice(0, bar));
  const joined = `${call}_${sanitized(id.slice(bar + 1))}`;
  if (joined.length <= COMPLETIONS_LIMIT) return joined;
  return `${call.slice(0, COMPLETIONS_LIMIT - HASH_LENGTH - 1)}_${shortHash(id)}`;
}

/** Other servers set limits of their own. None takes an id that no API would, whoever made it up. */
function withinReason(id: string): string {
  if (id.length <= IDENTIFIER_LIMIT) return id;
  return `${sanitized(id).slice(0, COMPLETIONS_LIMIT - HASH_LENGTH - 1)}_${shortHash(id)}`;
}

/** Providers whose Responses API gives calls an item id of their own. */
const TWO_PART_PROVIDERS: ReadonlySet<string> = new Set(["openai", "openai-codex", "opencode"]);

/** For Responses: `callId|itemId` where the provider knows item ids, else one sanitised id. */
export function responsesToolCallId(
  id: string,
  target: { provider: string; api: string },
  foreignItem: boolean,
): string {
  const twoPart =
    TWO_PART_PROVIDERS.has(target.provider) || (target.provider === "azure" && target.api === "azure-openai-responses");
  if (!twoPart) return half(id);
  const bar = id.indexOf("|");
  if (bar < 0) return half(id);
  const item = id.slice(bar + 1);
  const own = foreignItem ? `fc_${shortHash(item)}` : half(item);
  return `${half(id.slice(0, bar))}|${own.startsWith("fc_") ? own : half(`fc_${own}`)}`;
}

/** An id of the model itself for Responses: only what is too long or cannot be an item id changes. */
export function responsesOwnToolCallId(id: string): string {
  const bar = id.indexOf("|");
  if (bar < 0) return id.slice(0, RESPONSES_LIMIT);
  const call = id.slice(0, Math.min(bar, RESPONSES_LIMIT));
  const item = id.slice(bar + 1);
  return /^[a-zA-Z0-9_-]{1,64}$/.test(item) ? `${call}|${item}` : call;
}

function half(text: string): string {
  return sanitized(text).slice(0, RESPONSES_LIMIT).replace(/_+$/, "");
}

const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/** For Mistral: nine letters and digits, and different ones for different ids of the same request. */
export class MistralToolCallIds {
  readonly #byId = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param own ids of the model itself, which stay as they are */
  constructor(own: Iterable<string> = []) {
    this.#taken = new Set(own);
  }

  /** An id of the model itself: as it is, unless it cannot be one. */
  ofOwn(id: string): string {
    return MISTRAL_ID.test(id) ? id : this.of(id);
  }

  of(id: string): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    let short = MISTRAL_ID.test(id) ? id : madeToolCallId(id);
    for (let n = 1; this.#taken.has(short); n++) short = madeToolCallId(`${id}:${n}`);
    this.#taken.add(short);
    this.#byId.set(id, short);
    return short;
  }
}
