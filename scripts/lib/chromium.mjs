// A browser for the tests of exported pages: the system's Chromium, since none is downloaded.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Path of a Chromium; undefined when there is none. `PI_CHROMIUM` names another one. */
export function findChromium() {
  const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return [process.env["PI_CHROMIUM"], ...places].find((path) => path !== undefined && existsSync(path));
}

/** Installs Debian's Chromium where that is possible and none is there. */
export function ensureChromium() {
  if (findChromium() || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log("Installing Chromium (apt-get) ...");
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  // The lists of packages may be missing or old: they are fetched when it fails without.
  const install = () => apt("install", "-y", "--no-install-recommends", "chromium");
  if (install() || (apt("update") && install())) return;
  console.log("Chromium could not be installed: the tests of exported pages are skipped, or fail where CI is set.");
}
