// A package as it is published: dist/ with a manifest of its own, and inside it the sibling packages it needs.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { sourceCondition } from "./packages.mjs";
import { root } from "./setup.mjs";

/**
 * @param {import("./packages.mjs").WorkspacePackage} pkg
 * @param {import("./packages.mjs").WorkspacePackage[]} all
 */
export async function stagePackage(pkg, all) {
  const dir = join(root, "build", pkg.folder);
  rmSync(dir, { recursive: true, force: true });
  const siblings = siblingsOf(pkg, all);
  writeFiles(pkg, dir, siblings);
  for (const sibling of siblings) {
    writeFiles(sibling, join(dir, "node_modules", sibling.manifest.name), siblingsOf(sibling, all));
  }
  const { messages } = await publint({ pkgDir: dir, strict: true, pack: false });
  for (const message of messages) console.error(`publint: ${formatMessage(message, pkg.manifest)}`);
  if (messages.length > 0) throw new Error(`publint refuses ${pkg.manifest.name}`);

  const packed = spawnSync("npm", ["pack", "--json", "--pack-destination", join(root, "build")], {
    cwd: dir,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (packed.status !== 0) throw new Error(`npm pack failed for ${pkg.manifest.name}:\n${packed.stderr}`);
  const tarball = join(
    root,
    "build",
    `${pkg.manifest.name.replace("@", "").replace("/", "-")}-${pkg.manifest.version}.tgz`,
  );
  return { tarball: tarball.slice(root.length + 1), bytes: statSync(tarball).size };
}

/**
 * Sibling packages a package needs at run time, those of its siblings included.
 * @param {import("./packages.mjs").WorkspacePackage} pkg
 * @param {import("./packages.mjs").WorkspacePackage[]} all
 * @returns {import("./packages.mjs").WorkspacePackage[]}
 */
function siblingsOf(pkg, all) {
  const direct = all.filter(({ manifest }) => manifest.name in (pkg.manifest.dependencies ?? {}));
  return [...new Set(direct.flatMap((sibling) => [sibling, ...siblingsOf(sibling, all)]))];
}

/**
 * @param {import("./packages.mjs").WorkspacePackage} pkg
 * @param {string} dir
 * @param {import("./packages.mjs").WorkspacePackage[]} siblings
 */
function writeFiles(pkg, dir, siblings) {
  mkdirSync(dir, { recursive: true });
  for (const name of pkg.manifest.files ?? []) {
    const source = [join(pkg.dir, name), join(root, name)].find((path) => existsSync(path));
    if (source) cpSync(source, join(dir, name), { recursive: true });
  }
  if (!existsSync(join(dir, "LICENSE"))) cpSync(join(root, "LICENSE"), join(dir, "LICENSE"));
  writeFileSync(join(dir, "package.json"), `${JSON.stringify(publishedManifest(pkg.manifest, siblings), null, 2)}\n`);
}

/**
 * Without what only the repository needs; siblings travel inside the tarball, so nothing asks a registry for them.
 * @param {any} manifest
 * @param {import("./packages.mjs").WorkspacePackage[]} siblings
 */
function publishedManifest(manifest, siblings) {
  const { private: _private, devDependencies: _dev, exports, ...rest } = manifest;
  const names = siblings.map((sibling) => sibling.manifest.name);
  /** @type {Record<string, string>} */
  const dependencies = {};
  // Third-party packages of bundled siblings are asked for here: npm does not look inside a bundle for them.
  for (const source of [manifest, ...siblings.map((sibling) => sibling.manifest)]) {
    Object.assign(dependencies, source.dependencies);
  }
  return {
    ...rest,
    files: [...new Set([...(manifest.files ?? []), "LICENSE"])],
    exports: JSON.parse(JSON.stringify(exports), (key, value) => (key === sourceCondition ? undefined : value)),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    ...(names.length > 0 && { bundleDependencies: names }),
  };
}
