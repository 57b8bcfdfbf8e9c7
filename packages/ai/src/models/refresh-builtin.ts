/** New models of built-in providers, asked for by the user. Never at start, never offline. Source: llm.md sections 12, 15. */
import { requestJson } from "../http-json.js";
import { MODELS_DEV_URL, modelsFromModelsDev, type ProviderDefaults } from "./models-dev.js";
import type { RefreshModelsContext } from "./types.js";

const TIMEOUT_MS = 30_000;
/** How long an answer is good without `force`, in ms. */
const FRESH_MS = 4 * 3_600_000;

/** One download serves all providers of a refresh; they share it by its signal. */
const downloads = new WeakMap<AbortSignal, Promise<unknown>>();

/**
 * Keeps what models.dev lists for the provider.
 * @param url default `PI_MODELS_URL`, else models.dev
 * @throws Error when the catalogue cannot be had
 */
export async function refreshFromModelsDev(
  provider: ProviderDefaults,
  { allowNetwork, force, stored, signal, publish }: RefreshModelsContext,
  url: string = process.env["PI_MODELS_URL"] || MODELS_DEV_URL,
): Promise<void> {
  if (!allowNetwork) return;
  if (!force && stored?.checkedAt !== undefined && Date.now() - stored.checkedAt < FRESH_MS) return;
  let download = downloads.get(signal);
  if (!download) {
    download = fetchCatalogue(url, signal);
    downloads.set(signal, download);
  }
  const models = modelsFromModelsDev(await download, provider);
  await publish({ persist: { models, checkedAt: Date.now() } });
}

async function fetchCatalogue(url: string, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await requestJson({ url, timeoutMs: TIMEOUT_MS, signal });
  if (status >= 400 || body === undefined) throw new Error(`${url} answered ${status} without a catalogue`);
  return body;
}
