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
 * @property {Record<string, string>} entries name of the built file without .js -> source file
 */

/** @returns {WorkspacePackage[]} */
export function workspacePackages() {
  return readdirSync(join(root, "packages"))
    .filter((folder) => existsSync(join(root, "packages", folder, "package.json")))
    .map((folder) => {
      const dir = join(root, "packages", folder);
      const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
      return { folder, dir, manifest, entries: entriesOf(dir, manifest) };
    });
}

/**
 * @param {string} dir
 * @param {any} manifest
 */
function entriesOf(dir, manifest) {
  /** @type {Record<string, string>} */
  const entries = {};
  /** @param {string} source */
  const add = (source) => {
    entries[source.replace(/^\.\/src\//, "").replace(/\.ts$/, "")] = join(dir, source);
  };
  for (const target of Object.values(manifest.exports ?? {})) {
    const source = typeof target === "object" ? target[sourceCondition] : undefined;
    if (source) add(source);
  }
  for (const file of Object.values(manifest.bin ?? {})) {
    add(
      String(file)
        .replace(/^\.\/dist\//, "./src/")
        .replace(/\.js$/, ".ts"),
    );
  }
  return entries;
}
