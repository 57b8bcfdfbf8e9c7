// Type declarations: one compiler run over all packages, then each package's files moved to its dist/.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** @param {import("./packages.mjs").WorkspacePackage[]} packages */
export function emitDeclarations(packages) {
  const out = join(root, "node_modules", ".cache", "types");
  rmSync(out, { recursive: true, force: true });
  rmSync(join(root, "node_modules", ".cache", "tsc", "build.tsbuildinfo"), { force: true });
  const result = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
  if (result.status !== 0) throw new Error("The type declarations could not be made: see the errors above.");
  for (const { folder, dir } of packages) {
    cpSync(join(out, folder, "src"), join(dir, "dist"), { recursive: true });
  }
}
