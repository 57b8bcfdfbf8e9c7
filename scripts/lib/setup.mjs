// What every command needs on a fresh machine: the packages of the lock file.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Runs `npm ci` unless node_modules is as the lock file says. Ends the process with a reason when that fails. */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node.js 20.19 or later is needed; this is ${process.version}.`);
    process.exit(1);
  }
  if (isInstalled()) return;
  console.log("Installing packages (npm ci) ...");
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    console.error("npm ci failed: see the lines above. The package registry must be reachable for the first run.");
    process.exit(1);
  }
}

function isInstalled() {
  const marker = join(root, "node_modules", ".package-lock.json");
  const lock = join(root, "package-lock.json");
  if (!existsSync(marker)) return false;
  if (statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return true;
  // A fresh checkout touches the lock file: compare what it says.
  const wanted = JSON.parse(readFileSync(lock, "utf8")).packages;
  const installed = JSON.parse(readFileSync(marker, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || !path.startsWith("node_modules/") || entry.link || entry.optional) return true;
    return installed[path]?.version === entry.version;
  });
}
