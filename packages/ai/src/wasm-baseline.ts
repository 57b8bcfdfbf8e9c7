/**
 * Node 20 has the HTTP parser of its fetch as WebAssembly, and compiles all of it with the optimising compiler: 28 MB and
 * 100 ms of CPU that an agent never earns back. With the baseline compiler both are gone. Later lines of Node do not need
 * it. The flag is set only until the first response is there, so that other WebAssembly is compiled as usual.
 */
let isNeeded = process.versions.node.startsWith("20.");

/** Runs a first use of fetch with baseline compilation, where that helps. */
export async function withBaselineWasm<T>(run: () => Promise<T>): Promise<T> {
  if (!isNeeded) return run();
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--liftoff-only");
  try {
    const result = await run();
    isNeeded = false;
    return result;
  } finally {
    setFlagsFromString("--no-liftoff-only");
  }
}
