/** Where the documents of the product itself are. Source: agent-and-tools.md section D (docs). */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { homeFolder } from "../../config.js";

/** Absolute paths; what is not installed is left out. */
export interface ProductDocs {
  readme?: string;
  docs?: string;
  examples?: string;
}

const PACKAGE_NAME = "@earendil-works/pi-coding-agent";

/**
 * Documents beside the installed package: below `PI_PACKAGE_DIR`, else below the package that this file is part of;
 * in a checkout of the sources, below its root.
 */
export function findProductDocs(env: NodeJS.ProcessEnv = process.env): ProductDocs {
  const configured = env["PI_PACKAGE_DIR"]?.replace(/^~(?=$|[/\\])/, homeFolder());
  const root = configured ? resolve(configured) : packageRoot(dirname(fileURLToPath(import.meta.url)));
  if (root === undefined) return {};
  const roots = configured ? [root] : [root, resolve(root, "../..")];
  const find = (name: string) => roots.map((dir) => join(dir, name)).find((path) => existsSync(path));
  const [readme, docs, examples] = [find("README.md"), find("docs"), find("examples")];
  return { ...(readme && { readme }), ...(docs && { docs }), ...(examples && { examples }) };
}

/** The folder of the installed package; in a checkout of the sources that of its part of it. */
export function getPackageDir(): string {
  const configured = process.env["PI_PACKAGE_DIR"]?.replace(/^~(?=$|[/\\])/, homeFolder());
  const here = dirname(fileURLToPath(import.meta.url));
  return configured ? resolve(configured) : (packageRoot(here) ?? here);
}

/** Where it is, or would be if it were installed. */
export function getReadmePath(): string {
  return findProductDocs().readme ?? join(getPackageDir(), "README.md");
}

/** Where they are, or would be if they were installed. */
export function getDocsPath(): string {
  return findProductDocs().docs ?? join(getPackageDir(), "docs");
}

/** Where they are, or would be if they were installed. */
export function getExamplesPath(): string {
  return findProductDocs().examples ?? join(getPackageDir(), "examples");
}

/** The directory of our own manifest, from the sources as from the bundle. */
function packageRoot(from: string): string | undefined {
  for (let dir = from; ; dir = dirname(dir)) {
    const manifest = join(dir, "package.json");
    if (existsSync(manifest) && readFileSync(manifest, "utf8").includes(`"name": "${PACKAGE_NAME}"`)) return dir;
    if (dir === dirname(dir)) return undefined;
  }
}
