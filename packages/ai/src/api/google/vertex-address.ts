import type { Model } from "../../types.js";
import { environmentVariable } from "../environment.js";
import type { GoogleVertexOptions } from "./google-options.js";

/** Where a model of Vertex AI is reached. Source: llm-wire.md section 7. */

const PLACEHOLDER = "{location}";
const NO_PROJECT =
  "Vertex AI requires a project ID. Set GOOGLE_CLOUD_PROJECT/GCLOUD_PROJECT or pass project in options.";
const NO_LOCATION = "Vertex AI requires a location. Set GOOGLE_CLOUD_LOCATION or pass location in options.";
const API_VERSION = "v1";
/** A location that is everywhere has no host of its own. */
const GLOBAL = "global";

/**
 * The address of a request.
 * @param withKey API keys belong to a project; other sign-ins have to name theirs
 * @throws Error when project or location are not known but needed
 */
export function vertexUrl(model: Model, options: GoogleVertexOptions | undefined, withKey: boolean): string {
  const location = options?.location || environmentVariable("GOOGLE_CLOUD_LOCATION", options);
  const path = `publishers/google/models/${encodeURIComponent(model.id)}:streamGenerateContent?alt=sse`;
  const base = versioned(baseUrl(model, location, withKey));
  if (withKey) return `${base}/${path}`;
  const project =
    options?.project ||
    environmentVariable("GOOGLE_CLOUD_PROJECT", options) ||
    environmentVariable("GCLOUD_PROJECT", options);
  if (!project) throw new Error(NO_PROJECT);
  if (!location) throw new Error(NO_LOCATION);
  return `${base}/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}/${path}`;
}

/** The model's own base URL, unless it only says where the location goes. */
function baseUrl(model: Model, location: string | undefined, withKey: boolean): string {
  if (model.baseUrl !== "" && !model.baseUrl.includes(PLACEHOLDER)) return model.baseUrl.replace(/\/+$/, "");
  if (!location && !withKey) throw new Error(NO_LOCATION);
  const host = !location || location === GLOBAL ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  return `https://${host}`;
}

/** Base URLs may bring the version of the API. */
function versioned(base: string): string {
  return /\/v\d+(?:(?:alpha|beta)\d*)?$/.test(base) ? base : `${base}/${API_VERSION}`;
}
