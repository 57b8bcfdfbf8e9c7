import type { Model } from "../../types.js";
import { environmentVariable } from "../environment.js";
import type { AzureOpenAIResponsesOptions } from "./azure-options.js";

/** Where a deployment is reached. Source: llm-wire.md section 4. */

const NO_BASE_URL =
  "Azure OpenAI base URL is required. Set AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME, or pass azureBaseUrl, " +
  "azureResourceName, or model.baseUrl.";

const AZURE_HOST = /\.(?:openai|cognitiveservices|ai)\.azure\.com$/i;
/** Paths that people copy from the portal, and that all mean the same. */
const KNOWN_PATHS: ReadonlySet<string> = new Set(["", "/openai", "/openai/v1", "/openai/v1/responses"]);

/**
 * The address of a request.
 * @throws Error when nothing says where
 */
export function azureUrl(model: Model, options: AzureOpenAIResponsesOptions = {}): string {
  const version = options.azureApiVersion ?? environmentVariable("AZURE_OPENAI_API_VERSION", options) ?? "v1";
  return `${baseUrl(model, options)}/responses?api-version=${encodeURIComponent(version)}`;
}

/** The name under which the model is deployed. */
export function azureDeployment(model: Model, options: AzureOpenAIResponsesOptions = {}): string {
  if (options.azureDeploymentName) return options.azureDeploymentName;
  for (const entry of environmentVariable("AZURE_OPENAI_DEPLOYMENT_NAME_MAP", options)?.split(",") ?? []) {
    const equals = entry.indexOf("=");
    const deployment = entry.slice(equals + 1).trim();
    if (equals > 0 && entry.slice(0, equals).trim() === model.id && deployment !== "") return deployment;
  }
  return model.id;
}

function baseUrl(model: Model, options: AzureOpenAIResponsesOptions): string {
  const ofResource = (name: string | undefined): string | undefined =>
    name && `https://${name}.openai.azure.com/openai/v1`;
  const base =
    options.azureBaseUrl ||
    ofResource(options.azureResourceName) ||
    environmentVariable("AZURE_OPENAI_BASE_URL", options) ||
    ofResource(environmentVariable("AZURE_OPENAI_RESOURCE_NAME", options)) ||
    model.baseUrl;
  if (!base) throw new Error(NO_BASE_URL);
  return completed(base.replace(/\/+$/, ""));
}

function completed(base: string): string {
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    throw new Error(`The Azure OpenAI base URL is not a URL: ${base}`);
  }
  const path = url.pathname.replace(/\/+$/, "");
  return AZURE_HOST.test(url.hostname) && KNOWN_PATHS.has(path) ? `${url.origin}/openai/v1` : base;
}
