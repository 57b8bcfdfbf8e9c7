import { bundlePackage } from "./scripts/lib/bundle.mjs";
import { workspacePackages } from "./scripts/lib/packages.mjs";

/** End-to-end tests run what users run: the bundled program, made from the sources of the moment. */
export async function setup(): Promise<void> {
  for (const pkg of workspacePackages()) await bundlePackage(pkg);
}
