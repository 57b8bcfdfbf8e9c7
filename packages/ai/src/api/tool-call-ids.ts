/** Tool call ids of other models in the forms the APIs accept. Rules: llm-wire.md section 1. */

const IDENTIFIER_LIMIT = 64;
const COMPLETIONS_LIMIT = 40;
const RESPONSES_LIMIT = 64;
const HASH_LENGTH = 8;

/** A short text that stands for a longer one; equal texts give equal hashes in every process. */
export function shortHash(text: string): string {
  // FNV-1a in two halves: 64 bits without big integers.
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  const digits = (low >>> 0).toString(36) + (high >>> 0).toString(36);
  return digits.padStart(HASH_LENGTH, "0").slice(0, HASH_LENGTH);
}

function sanitized(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** For Google and Bedrock, as for Anthropic: letters, digits, `_` and `-`, at most 64. */
export function identifierToolCallId(id: string): string {
  return sanitized(id).slice(0, IDENTIFIER_LIMIT);
}

/** For Chat Completions: ids of two halves become one of at most 40 characters; `openai` itself accepts no longer ones. */
export function completionsToolCallId(id: string, provider: string): string {
  const bar = id.indexOf("|");
  if (bar < 0) return provider === "openai" ? id.slice(0, COMPLETIONS_LIMIT) : id;
  const call = sanitized(id.slice(0, bar));
  const joined = `${call}_${sanitized(id.slice(bar + 1))}`;
  if (joined.length <= COMPLETIONS_LIMIT) return joined;
  return `${call.slice(0, COMPLETIONS_LIMIT - HASH_LENGTH - 1)}_${shortHash(id)}`;
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

function half(text: string): string {
  return sanitized(text).slice(0, RESPONSES_LIMIT).replace(/_+$/, "");
}

const MISTRAL_LENGTH = 9;

/** For Mistral: nine letters and digits, and different ones for different ids of the same request. */
export class MistralToolCallIds {
  readonly #byId = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param own ids of the model itself, which stay as they are */
  constructor(own: Iterable<string> = []) {
    this.#taken = new Set(own);
  }

  of(id: string): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    let short = /^[a-zA-Z0-9]{9}$/.test(id) ? id : mistralHash(id);
    for (let n = 1; this.#taken.has(short); n++) short = mistralHash(`${id}:${n}`);
    this.#taken.add(short);
    this.#byId.set(id, short);
    return short;
  }
}

function mistralHash(text: string): string {
  // Two hashes of eight digits: one alone is too short.
  return (shortHash(text) + shortHash(`${text}.`)).slice(0, MISTRAL_LENGTH);
}
