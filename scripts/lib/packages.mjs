// The workspace packages and what their exports maps say.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** Condition of the exports maps that names the sources. */
export const sourceCondition = "@pi/source";

/**
 * @typedef {object} WorkspacePackage
 * @property {string} folder name below packages/
 * @property {string} dir absolute
 * @property {any} manifest package.json
 * @property {Record<string, string>} entries of the exports map: name of the built file without .js -> source file
 * @property {Record<string, string>} bins programs, likewise
 */

/** @returns {WorkspacePackage[]} */
export function workspacePackages() {
  return readdirSync(join(root, "packages"))
    .filter((folder) => existsSync(join(root, "packages", folder, "package.json")))
    .map((folder) => {
      const dir = join(root, "packages", folder);
      const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
      return { folder, dir, manifest, entries: entriesOf(dir, manifest), bins: binsOf(dir, manifest) };
    });
}

/**
 * @param {string} dir
 * @param {any} manifest
 */
function entriesOf(dir, manifest) {
  const targets = Object.values(manifest.exports ?? {});
  const sources = targets.flatMap((target) => (typeof target === "object" ? (target[sourceCondition] ?? []) : []));
  return Object.fromEntries(sources.flatMap((source) => matching(dir, source)).map((source) => named(dir, source)));
}

/**
 * The files a pattern of the exports map stands for.
 * @param {string} dir
 * @param {string} source such as `./src/providers/entries/*.ts`
 */
function matching(dir, source) {
  const [folder = "", ending] = source.split("*");
  if (ending === undefined) return [source];
  const names = readdirSync(join(dir, folder)).filter(
    (name) => name.endsWith(ending) && !name.endsWith(`.test${ending}`),
  );
  return names.map((name) => folder + name);
}

/**
 * @param {string} dir
 * @param {any} manifest
 */
function binsOf(dir, manifest) {
  const files = Object.values(manifest.bin ?? {}).map(String);
  return Object.fromEntries(files.map((file) => named(dir, file.replace("./dist/", "./src/").replace(/\.js$/, ".ts"))));
}

/**
 * @param {string} dir
 * @param {string} source such as `./src/cli.ts`
 */
function named(dir, source) {
  return [source.replace(/^\.\/src\//, "").replace(/\.ts$/, ""), join(dir, source)];
}
