// Everything: types, lint, dependency rules, the build, unit, property and end-to-end tests.
// The random seed of generated cases is printed; PI_TEST_SEED=<seed> repeats a run.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureInstalled, root } from "./lib/setup.mjs";

ensureInstalled();
ensureChromium();
const { runVitest } = await import("./lib/vitest.mjs");
const { checkSteps, runCheckStep } = await import("./lib/checks.mjs");

const seed = process.env["PI_TEST_SEED"] ?? String(randomInt(2 ** 31));
console.log(`Seed of generated cases: ${seed} (repeat with PI_TEST_SEED=${seed} npm test)`);
let passed = 0;
let failed = 0;
/** @param {boolean} ok */
const count = (ok) => (ok ? passed++ : failed++);
for (const step of checkSteps) count(runCheckStep(step));
console.log("build");
count(
  spawnSync(process.execPath, [join(root, "scripts", "build.mjs")], { stdio: ["ignore", "inherit", "inherit"] })
    .status === 0,
);
const tests = runVitest({ PI_TEST_SEED: seed });
passed += tests.passed;
failed += tests.failed;
console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;
