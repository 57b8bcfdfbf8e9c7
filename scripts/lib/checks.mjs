// What must hold before anything runs: types, lint, dependency rules.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** @typedef {{ name: string, script: string, args: string[] }} CheckStep */

/** @type {CheckStep[]} */
export const checkSteps = [
  { name: "types", script: "typescript/bin/tsc", args: ["-p", "."] },
  {
    name: "types of the exported page",
    script: "typescript/bin/tsc",
    args: ["-p", "packages/coding-agent/src/core/export-html/page"],
  },
  {
    name: "types of the fleet page",
    script: "typescript/bin/tsc",
    args: ["-p", "packages/orchestrator/src/gateway/page"],
  },
  { name: "lint", script: "@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings", "."] },
  {
    name: "dependency rules",
    script: "dependency-cruiser/bin/dependency-cruise.mjs",
    args: ["packages", "--config", ".dependency-cruiser.cjs", "--output-type", "err"],
  },
];

/**
 * Runs one step, says how it went, and returns whether it passed.
 * @param {CheckStep} step
 */
export function runCheckStep({ name, script, args }) {
  const start = performance.now();
  const result = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ok = result.status === 0;
  console.log(`${ok ? "ok    " : "FAILED"} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return ok;
}
