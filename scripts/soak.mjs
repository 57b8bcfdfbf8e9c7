// The generated and torture tests in their full numbers. Arguments narrow the run to files whose path holds them.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { ensureInstalled, root } from "./lib/setup.mjs";

ensureInstalled();
const { runVitest } = await import("./lib/vitest.mjs");
const seed = process.env["PI_TEST_SEED"] ?? String(randomInt(2 ** 31));
console.log(`Seed of generated cases: ${seed} (repeat with PI_TEST_SEED=${seed} npm run soak)`);
const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs")], {
  stdio: ["ignore", "inherit", "inherit"],
});
const { passed, failed, skipped } = runVitest({ PI_SOAK: "1", PI_TEST_SEED: seed }, process.argv.slice(2));
const failures = failed + (built.status === 0 ? 0 : 1);
console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failures === 0 ? 0 : 1;
