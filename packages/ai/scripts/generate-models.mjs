// Turns the figures in data/model-figures.json into the catalogue: data/models/<provider>.json, one model per line.
// Run it after a change of the figures: node packages/ai/scripts/generate-models.mjs
// With `--models-dev <file>` (a copy of https://models.dev/api.json) models that the figures do not have are added first.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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

/**
 * The figures as their file has them: one model per line.
 * @param {any} figures
 */
export function figuresText({ about, columns, providers }) {
  const lists = Object.entries(providers).map(([id, { models, ...defaults }]) => {
    const head = JSON.stringify(defaults).slice(0, -1);
    const rows = models.map((/** @type {any[]} */ row) => JSON.stringify(row)).join(",\n");
    return `${JSON.stringify(id)}:${head},"models":[\n${rows}\n]}`;
  });
  const top = `"about":${JSON.stringify(about)},\n"columns":${JSON.stringify(columns)},\n"providers":{\n`;
  return `{\n${top}${lists.join(",\n")}\n}}\n`;
}

/**
 * Adds the models of a models.dev catalogue that the figures do not have; returns how many.
 * @param {any} figures
 * @param {unknown} catalogue
 */
export async function addModelsDev(figures, catalogue) {
  // The same reading of that catalogue as a refresh at run time has, from the same source.
  const entry = fileURLToPath(new URL("../src/models/models-dev.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  const code = Buffer.from(outputFiles[0]?.text ?? "").toString("base64");
  const { modelsFromModelsDev } = await import(`data:text/javascript;base64,${code}`);
  let added = 0;
  for (const [id, provider] of Object.entries(figures.providers)) {
    const known = new Set(provider.models.map((/** @type {any[]} */ row) => row[0]));
    for (const model of modelsFromModelsDev(catalogue, { id, api: provider.api, baseUrl: provider.base })) {
      if (known.has(model.id)) continue;
      const { input, output, cacheRead, cacheWrite, tiers } = model.cost;
      provider.models.push([
        model.id,
        model.name,
        model.contextWindow,
        model.maxTokens,
        [input, output, cacheRead, cacheWrite],
        model.input.includes("image") ? 1 : 0,
        model.reasoning ? 1 : 0,
        ...(tiers ? [{ costTiers: tiers }] : []),
      ]);
      added++;
    }
  }
  return added;
}

/** Where the files lie. */
export const modelsFolder = new URL("models/", dataFolder);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf("--models-dev");
  if (at > 0) {
    const path = new URL("model-figures.json", dataFolder);
    const figures = JSON.parse(readFileSync(path, "utf8"));
    await addModelsDev(figures, JSON.parse(readFileSync(process.argv[at + 1] ?? "", "utf8")));
    writeFileSync(path, figuresText(figures));
  }
  const files = generateModelFiles();
  mkdirSync(modelsFolder, { recursive: true });
  for (const name of readdirSync(modelsFolder)) if (!files.has(name)) rmSync(new URL(name, modelsFolder));
  for (const [name, text] of files) writeFileSync(new URL(name, modelsFolder), text);
}
