/** Which files a model runtime uses. Source: cli-and-config.md section 7; "nothing is read from home unless asked". */
import { dirname, join } from "node:path";
import type { CredentialStore, ModelsStore } from "@earendil-works/pi-ai";
import { getAgentDir } from "../../config.js";
import { OAUTH_CLIENTS_FILE } from "./oauth-clients.js";

export interface RuntimeFileOptions {
  /** Holds auth.json, models.json, models-store.json, auth-clients.json, unless said otherwise. */
  agentDir?: string | undefined;
  credentials?: CredentialStore | undefined;
  authPath?: string | undefined;
  modelsPath?: string | null | undefined;
  modelsStore?: ModelsStore | undefined;
  modelsStorePath?: string | undefined;
}

export interface RuntimeFiles {
  /** The directory of all that has no path of its own; undefined: there is nothing more on disk. */
  folder: string | undefined;
  /** Undefined: credentials are the host's. */
  auth: string | undefined;
  models: string | null;
  /** Undefined: catalogues are the host's, or kept in memory. */
  store: string | undefined;
  /** Undefined: there are none. */
  oauthClients: string | undefined;
  /** Older credentials are moved only within the directory that was asked for as a whole. */
  mayMigrate: boolean;
}

/**
 * A host that says where credentials are means those and no others: the rest is beside its file. One that keeps them
 * itself has nothing on disk but what it names. Whoever says neither means the user's own agent directory.
 */
export function runtimeFiles(options: RuntimeFileOptions): RuntimeFiles {
  const { authPath, credentials, modelsPath, modelsStore } = options;
  const folder =
    options.agentDir ??
    (authPath !== undefined ? dirname(authPath) : credentials !== undefined ? undefined : getAgentDir());
  const inFolder = (name: string) => (folder === undefined ? undefined : join(folder, name));
  return {
    folder,
    auth: credentials ? undefined : (authPath ?? inFolder("auth.json")),
    models: modelsPath === undefined ? (inFolder("models.json") ?? null) : modelsPath,
    store: modelsStore ? undefined : (options.modelsStorePath ?? inFolder("models-store.json")),
    oauthClients: inFolder(OAUTH_CLIENTS_FILE),
    mayMigrate: !credentials && authPath === undefined,
  };
}
