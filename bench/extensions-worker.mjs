// Loads extensions as a start does, from transpiled files; reports what the first one and the others take.
import { discoverAndLoadExtensions } from "@earendil-works/pi-coding-agent";

const [agentDir = "", ...files] = process.argv.slice(2);

/** @param {string[]} paths */
async function load(paths) {
  const started = performance.now();
  const { errors } = await discoverAndLoadExtensions(paths, agentDir, agentDir);
  if (errors.length > 0) throw new Error(errors.map(({ error }) => error).join("\n"));
  return performance.now() - started;
}

const firstMs = await load(files.slice(0, 1));
const othersMs = (await load(files.slice(1))) / Math.max(1, files.length - 1);
console.log(JSON.stringify({ firstMs, othersMs }));
