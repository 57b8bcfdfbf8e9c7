import type { OpenAIResponsesOptions } from "../openai-responses/responses-options.js";

/** Options of `azure-openai-responses` beside the common ones. Each stands over the variable of its name. */
export interface AzureOpenAIResponsesOptions extends Omit<OpenAIResponsesOptions, "serviceTier"> {
  /** Default: `AZURE_OPENAI_API_VERSION`, then `v1`. */
  azureApiVersion?: string | undefined;
  /** `NAME` of `https://NAME.openai.azure.com`. Default: `AZURE_OPENAI_RESOURCE_NAME`. */
  azureResourceName?: string | undefined;
  /** Default: `AZURE_OPENAI_BASE_URL`. */
  azureBaseUrl?: string | undefined;
  /** Default: from `AZURE_OPENAI_DEPLOYMENT_NAME_MAP` (`id=deployment,…`), else the id of the model. */
  azureDeploymentName?: string | undefined;
}
