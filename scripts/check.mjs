// Types, lint and dependency rules. `npm run check`; each step is also a test of `npm test`.
import { spawnSync } from "node:child_process";
import { ensureInstalled } from "./lib/setup.mjs";

ensureInstalled();
/** @type {[name: string, bin: string, args: string[]][]} */
const steps = [
  ["types", "tsc", ["-p", "."]],
  ["lint", "biome", ["check", "--error-on-warnings", "."]],
  ["dependency rules", "depcruise", ["packages", "--config", ".dependency-cruiser.cjs", "--output-type", "err"]],
];
let failed = 0;
for (const [name, bin, args] of steps) {
  const start = performance.now();
  const result = spawnSync("npx", ["--no-install", bin, ...args], { stdio: "inherit" });
  const ok = result.status === 0;
  if (!ok) failed++;
  console.log(`${ok ? "ok    " : "FAILED"} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}
process.exitCode = failed === 0 ? 0 : 1;
