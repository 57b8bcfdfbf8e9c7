/** Built-in extensions of the published contract that this release does not have. Source: exports.md section 4.5, [L]. */
import type { CodemodeExtensionOptions, McpExtensionOptions } from "./later-types.js";
import type { ExtensionFactory } from "./types/api.js";

/** Entry in which the state of a routed model is kept. */
export const VIRTUAL_MODEL_STATE_ENTRY = "pi.virtual-model-state";

/** @throws when it is loaded */
export const createMcpExtension = (_options?: McpExtensionOptions): ExtensionFactory => missing("createMcpExtension");
/** @throws when it is loaded */
export const createCodemodeExtension = (_options?: CodemodeExtensionOptions): ExtensionFactory =>
  missing("createCodemodeExtension");
/** @throws when it is loaded */
export const createToolSearchExtension = (): ExtensionFactory => missing("createToolSearchExtension");

function missing(name: string): ExtensionFactory {
  return () => {
    throw new Error(`${name} is not available in this release.`);
  };
}
