// Types, lint and dependency rules. `npm run check`; each step is also a test of `npm test`.
import { checkSteps, runCheckStep } from "./lib/checks.mjs";
import { ensureInstalled } from "./lib/setup.mjs";

ensureInstalled();
const results = checkSteps.map((step) => runCheckStep(step));
process.exitCode = results.every((ok) => ok) ? 0 : 1;
