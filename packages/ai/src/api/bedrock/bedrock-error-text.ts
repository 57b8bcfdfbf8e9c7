import { thrownText } from "../../errors/cause.js";
import type { HttpStatusError } from "../../http.js";
import { boundedBody } from "../error-body.js";

/** How failures of the service begin. Source: llm.md section 10. */
const PREFIXES: Readonly<Record<string, string>> = {
  InternalServerException: "Internal server error",
  ModelStreamErrorException: "Model stream error",
  ValidationException: "Validation error",
  ThrottlingException: "Throttling error",
  ServiceUnavailableException: "Service unavailable",
};

const NO_CREDENTIALS = "Set AWS_BEARER_TOKEN_BEDROCK, AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";

/** The text of a failed request. `refusal` is the last answer of the server, if it was an error. */
export function bedrockErrorText(error: unknown, refusal: HttpStatusError | undefined): string {
  if (!(error instanceof Error)) return thrownText(error);
  const prefix = PREFIXES[error.name];
  if (prefix !== undefined) return `${prefix}: ${error.message}`;
  if (refusal) {
    // Where the service names its error, that says more than the body around it.
    const detail = error.name.endsWith("Exception") ? `${error.name}: ${error.message}` : boundedBody(refusal.body);
    return `Bedrock API error (${refusal.status}): ${detail || "status code (no body)"}`;
  }
  if (error.name === "CredentialsProviderError" || error.name === "TokenProviderError") {
    return `No AWS credentials for Bedrock: ${error.message} ${NO_CREDENTIALS}`;
  }
  if (error.name.endsWith("Exception")) return `${error.name}: ${error.message}`;
  return thrownText(error);
}
