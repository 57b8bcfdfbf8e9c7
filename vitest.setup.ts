import fc from "fast-check";

// One seed for all generated cases of a run, so that a failure can be repeated; more cases when soaking.
const seed = process.env["PI_TEST_SEED"];
fc.configureGlobal({
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(process.env["PI_SOAK"] && { numRuns: 5000 }),
});
