// What is published: bundles, type declarations and, under build/, packages ready for `npm publish` with their tarballs.
// `npm run build -- --js` stops after the bundles, which is all that the demo and the benches need.
import { ensureInstalled } from "./lib/setup.mjs";

ensureInstalled();
const { workspacePackages } = await import("./lib/packages.mjs");
const { bundlePackage } = await import("./lib/bundle.mjs");

const started = performance.now();
const packages = workspacePackages();
for (const pkg of packages) await bundlePackage(pkg);
console.log(`bundled ${packages.length} packages (${seconds()} s)`);

if (!process.argv.includes("--js")) {
  const { emitDeclarations } = await import("./lib/declarations.mjs");
  emitDeclarations(packages);
  console.log(`type declarations (${seconds()} s)`);
  const { stagePackage } = await import("./lib/stage.mjs");
  for (const pkg of packages.filter(({ folder }) => folder !== "testkit")) {
    const { tarball, bytes } = await stagePackage(pkg, packages);
    console.log(`${tarball} (${(bytes / 1024).toFixed(0)} KB, publint passed)`);
  }
}

function seconds() {
  return ((performance.now() - started) / 1000).toFixed(1);
}
