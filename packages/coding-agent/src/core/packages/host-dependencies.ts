/** Packages of extensions that bring modules of the program along. Source: extensions.md section 2.2. */
import { join } from "node:path";
import { readTextIfExists } from "../storage/read-text.js";

/** What the program provides itself, under its own and its earlier scope. */
const HOST_PACKAGE =
  /^(?:@(?:earendil-works|mariozechner)\/pi-(?:coding-agent|agent-core|tui|ai)|typebox|@sinclair\/typebox)$/;

/** A word about a package that depends on what the program provides; undefined when it does not. */
export function hostDependencyWarning(root: string): string | undefined {
  let manifest: { name?: unknown; dependencies?: unknown };
  try {
    manifest = JSON.parse(readTextIfExists(join(root, "package.json")) ?? "{}") ?? {};
  } catch {
    // A manifest that cannot be read says nothing.
    return undefined;
  }
  const { name, dependencies } = manifest;
  const names = Object.keys(typeof dependencies === "object" && dependencies !== null ? dependencies : {});
  const host = names.filter((one) => HOST_PACKAGE.test(one));
  if (host.length === 0) return undefined;
  return (
    `Host-provided extension packages must be declared in peerDependencies with a "*" range, not dependencies: ` +
    `${host.join(", ")}. The copies that ${typeof name === "string" ? name : root} installs are not used.`
  );
}
