import type { Model } from "../../types.js";
import { environmentVariable } from "../environment.js";
import type { BedrockOptions } from "./bedrock-options.js";

/** Where a request goes; undefined members are left to the AWS configuration. */
export interface BedrockTarget {
  region: string | undefined;
  profile: string | undefined;
  /** Base URL in place of the region's own. */
  endpoint: string | undefined;
}

const DEFAULT_REGION = "us-east-1";
const STANDARD_HOST = /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/** Region and endpoint of a request. Source: llm-wire.md section 9. */
export function bedrockTarget(model: Model, options: BedrockOptions = {}): BedrockTarget {
  const profile = options.profile ?? environmentVariable("AWS_PROFILE", options);
  const configured =
    /^arn:[^:]*:bedrock:([^:]+):/.exec(model.id)?.[1] ??
    (options.region ||
      environmentVariable("AWS_REGION", options) ||
      environmentVariable("AWS_DEFAULT_REGION", options));
  const standardRegion = regionOf(model.baseUrl);
  const isStandard = standardRegion !== undefined || model.baseUrl === "";
  const isPinned = model.baseUrl !== "" && (!isStandard || (!configured && !profile));
  return {
    region: configured ?? (profile ? undefined : (standardRegion ?? DEFAULT_REGION)),
    profile,
    endpoint: isPinned ? model.baseUrl.replace(/\/+$/, "") : undefined,
  };
}

/** The region of one of Amazon's own addresses. */
function regionOf(baseUrl: string): string | undefined {
  try {
    return STANDARD_HOST.exec(new URL(baseUrl).hostname)?.[1];
  } catch {
    return undefined;
  }
}
