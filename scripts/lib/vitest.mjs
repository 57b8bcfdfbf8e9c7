// One run of the test suite, counted.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

/**
 * @param {Record<string, string>} env
 * @param {string[]} filters
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function runVitest(env, filters = []) {
  const report = join(root, "node_modules", ".cache", "vitest-report.json");
  mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
  rmSync(report, { force: true });
  const result = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ],
    { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } },
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests, success } = JSON.parse(readFileSync(report, "utf8"));
    // A file that cannot be loaded fails without a failed test.
    const failed = numFailedTests + (numFailedTests === 0 && (!success || result.status !== 0) ? 1 : 0);
    return { passed: numPassedTests, failed, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
