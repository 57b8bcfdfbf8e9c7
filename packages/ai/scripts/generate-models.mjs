// Turns the figures in data/model-figures.json into the catalogue: data/models/<provider>.json, one model per line.
// Run it after a change of the figures: node packages/ai/scripts/generate-models.mjs
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const dataFolder = new URL("../data/", import.meta.url);

/** Members of a row's last column that are members of a model under the same name. */
const TAKEN_OVER = ["promptCache", "inputLimits", "headers", "compat"];

/**
 * @param {any[]} row the columns that the figures name
 * @param {string} provider
 * @param {{api: string, base: string}} defaults of the provider
 */
function toModel([id, name, window, output, cost, image, reasoning, extra = {}], provider, defaults) {
  const [input, outputCost, cacheRead, cacheWrite] = cost;
  /** @type {Record<string, unknown>} */
  const model = {
    id,
    name,
    api: extra.api ?? defaults.api,
    provider,
    baseUrl: extra.base ?? defaults.base,
    type: "chat",
    reasoning: reasoning === 1,
    input: image === 1 ? ["text", "image"] : ["text"],
    cost: {
      input,
      output: outputCost,
      cacheRead,
      cacheWrite,
      ...(extra.costTiers ? { tiers: extra.costTiers } : {}),
    },
    contextWindow: window,
    maxTokens: output,
  };
  if (extra.thinkingLevels) model["thinkingLevelMap"] = extra.thinkingLevels;
  for (const key of TAKEN_OVER) if (extra[key] !== undefined) model[key] = extra[key];
  return model;
}

/**
 * The files of the catalogue: name and text.
 * @returns {Map<string, string>}
 */
export function generateModelFiles() {
  const figures = JSON.parse(readFileSync(new URL("model-figures.json", dataFolder), "utf8"));
  const files = new Map();
  for (const [provider, { models, ...defaults }] of Object.entries(figures.providers)) {
    const lines = models.map((/** @type {any[]} */ row) => JSON.stringify(toModel(row, provider, defaults)));
    files.set(`${provider}.json`, `[\n${lines.join(",\n")}\n]\n`);
  }
  return files;
}

/** Where the files lie. */
export const modelsFolder = new URL("models/", dataFolder);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = generateModelFiles();
  mkdirSync(modelsFolder, { recursive: true });
  for (const name of readdirSync(modelsFolder)) if (!files.has(name)) rmSync(new URL(name, modelsFolder));
  for (const [name, text] of files) writeFileSync(new URL(name, modelsFolder), text);
}
