// Sources to dist/: one bundle per package, its entries sharing chunks, heavy parts in chunks of their own.
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";

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

/**
 * Bundles the JavaScript of one package. What the manifest lists under `dependencies` stays an import, so that every
 * module of a sibling exists once per process; `devDependencies` are built in.
 *
 * @param {import("./packages.mjs").WorkspacePackage} pkg
 */
export async function bundlePackage({ dir, manifest, entries }) {
  const outdir = join(dir, "dist");
  rmSync(outdir, { recursive: true, force: true });
  const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  await esbuild.build({
    absWorkingDir: dir,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ in: source, out })),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    conditions: ["import", "module"],
    external: external.flatMap((name) => [name, `${name}/*`]),
    chunkNames: "chunks/[name]-[hash]",
    plugins: [rawText],
    // Names stay as they are: stack traces of users are worth more than the bytes.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
    // CommonJS packages that are built in still call require().
    banner: {
      js: 'import{createRequire as __piCreateRequire}from"node:module";const require=__piCreateRequire(import.meta.url);',
    },
  });
  for (const file of Object.values(manifest.bin ?? {})) chmodSync(join(dir, String(file)), 0o755);
}
