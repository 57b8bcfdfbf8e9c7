/** Arguments that are understood only by what is loaded later: nothing may be drawn before they are. */
import { join } from "node:path";
import { readTextIfExists } from "../core/storage/read-text.js";
import type { Args } from "./args.js";

/** Whether a start may still end with an error about its arguments. */
export function mayBeRefused(args: Args, agentDir: string): boolean {
  const { provider, model, apiKey, session, sessionId, fork } = args;
  const needsLooking = [provider, session, sessionId, fork, apiKey].some((value) => value !== undefined);
  return needsLooking || args.unknownFlags.size > 0 || (model !== undefined && !namesKnownProvider(model, agentDir));
}

/** `provider/id` with a provider of the user's files is a model, at least a new one: the catalogue can wait. */
function namesKnownProvider(model: string, agentDir: string): boolean {
  const [provider, id] = model.split("/");
  if (!provider || !id) return false;
  return ["models.json", "auth.json"].some((name) => mentions(join(agentDir, name), provider));
}

function mentions(file: string, provider: string): boolean {
  try {
    return readTextIfExists(file)?.includes(JSON.stringify(provider)) === true;
  } catch {
    return false;
  }
}
