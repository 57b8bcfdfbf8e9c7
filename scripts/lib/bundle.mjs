// Sources to dist/: one bundle per package, its entries sharing chunks, heavy parts in chunks of their own.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { browserScript } from "./browser-script.mjs";

/** `import text from "./x.md?raw"`: the file as a string. @type {esbuild.Plugin} */
const rawText = {
  name: "raw-text",
  setup(build) {
    build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?raw$/, "")),
      namespace: "raw-text",
    }));
    build.onLoad({ filter: /.*/, namespace: "raw-text" }, ({ path }) => ({
      contents: readFileSync(path, "utf8"),
      loader: "text",
      watchFiles: [path],
    }));
  },
};

/** Scripts of pages as text: see browser-script.mjs. @type {esbuild.Plugin} */
const browserScripts = {
  name: "browser-scripts",
  setup(build) {
    build.onResolve({ filter: /\?browser$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?browser$/, "")),
      namespace: "browser-script",
    }));
    build.onLoad({ filter: /.*/, namespace: "browser-script" }, async ({ path }) => ({
      contents: await browserScript(path),
      loader: "text",
    }));
  },
};

/**
 * Bundles the JavaScript of one package. What the manifest lists under `dependencies` stays an import, so that every
 * module of a sibling exists once per process; `devDependencies` are built in.
 *
 * @param {import("./packages.mjs").WorkspacePackage} pkg
 */
export async function bundlePackage({ dir, manifest, entries, bins }) {
  const outdir = join(dir, "dist");
  rmSync(outdir, { recursive: true, force: true });
  const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  /** @type {esbuild.BuildOptions} */
  const options = {
    absWorkingDir: dir,
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    conditions: ["import", "module"],
    // ES modules can be left out in parts where CommonJS cannot.
    mainFields: ["module", "main"],
    external: external.flatMap((name) => [name, `${name}/*`]),
    // Names stay as they are: stack traces of users are worth more than the bytes.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
  };
  /** @type {Record<string, string>} */
  const behindBins = {};
  if (Object.keys(bins).length > 0) {
    await esbuild.build({ ...options, entryPoints: entryPoints(bins), plugins: [leaveDynamicImports(behindBins)] });
  }
  await esbuild.build({
    ...options,
    entryPoints: entryPoints({ ...entries, ...behindBins }),
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    plugins: [rawText, browserScripts],
  });
  await bundleDependencies(options, manifest.piBundled ?? []);
  giveRequire(outdir);
  for (const name of Object.keys(bins)) chmodSync(join(outdir, `${name}.js`), 0o755);
}

/**
 * Dependencies that the program loads as one file each, `bundled/<name>.js`: their many small files would take far
 * longer. They stay dependencies for the sake of their types.
 *
 * @param {esbuild.BuildOptions} options
 * @param {string[]} specifiers
 */
async function bundleDependencies(options, specifiers) {
  if (specifiers.length === 0) return;
  const entries = specifiers.map((specifier) => [`bundled/${specifier.replaceAll("/", "-")}`, specifier]);
  await esbuild.build({
    ...options,
    external: [],
    entryPoints: entryPoints(Object.fromEntries(entries)),
    splitting: true,
    chunkNames: "bundled/chunks/[name]-[hash]",
  });
}

/**
 * CommonJS packages that are built in ask for Node's own modules by `require`, which ES modules do not have: the one
 * chunk of a bundle in which esbuild stands in for it gets it.
 *
 * @param {string} outdir
 */
function giveRequire(outdir) {
  const line = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);\n`;
  for (const name of readdirSync(outdir, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".js")) continue;
    const file = join(outdir, name);
    const text = readFileSync(file, "utf8");
    if (text.includes(`Error('Dynamic require of "`)) writeFileSync(file, line + text);
  }
}

/**
 * A program is one file that shares nothing: it answers before anything else is read. What it imports dynamically
 * becomes an entry of the package's bundle.
 *
 * @param {Record<string, string>} targets filled with those entries
 * @returns {esbuild.Plugin}
 */
function leaveDynamicImports(targets) {
  return {
    name: "leave-dynamic-imports",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        targets[path.replace(/^\.\//, "").replace(/\.js$/, "")] = join(resolveDir, path.replace(/\.js$/, ".ts"));
        return { path, external: true };
      });
    },
  };
}

/** @param {Record<string, string>} entries */
function entryPoints(entries) {
  return Object.entries(entries).map(([out, source]) => ({ in: source, out }));
}
