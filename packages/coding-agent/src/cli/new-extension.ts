import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { getPackageDir } from "../core/resources/product-docs.js";
import { resolveUserPath } from "../core/session-store/paths.js";
import { namesIn, statIfExists } from "../core/storage/files.js";

/** As npm wants names; it becomes the name of a package. */
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

export interface NewExtension {
  folder: string;
  files: string[];
}

/**
 * `--new-extension <folder>`: an extension to start from, with a test that runs as it is.
 *
 * An option, not a command: words that are commands are a closed list, and `pi extension new x` is a prompt.
 * @throws Error that says what is wrong with the folder and what to do
 */
export function newExtension(path: string): NewExtension {
  const folder = resolveUserPath(path);
  const name = basename(folder);
  if (!NAME.test(name)) {
    throw new Error(`"${name}" cannot be the name of a package. Use small letters, digits, ".", "_" and "-".`);
  }
  const there = statIfExists(folder);
  if (there && (!there.isDirectory() || namesIn(folder).size > 0)) {
    throw new Error(`${folder} is not empty. Name a folder that does not exist yet.`);
  }
  const template = join(getPackageDir(), "templates", "extension");
  const files = readdirSync(template).toSorted();
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    const text = readFileSync(join(template, file), "utf8").replaceAll("__name__", name);
    writeFileSync(join(folder, file), text, { flag: "wx" });
  }
  // Not in the template: npm leaves files of this name out of packages.
  writeFileSync(join(folder, ".gitignore"), "node_modules\n", { flag: "wx" });
  // Types and modules are those of this program, so nothing has to be installed for the test.
  const link = join(folder, "node_modules", "@earendil-works", "pi-coding-agent");
  mkdirSync(dirname(link), { recursive: true });
  // A junction, where symbolic links need rights of their own.
  symlinkSync(getPackageDir(), link, "junction");
  return { folder, files };
}
