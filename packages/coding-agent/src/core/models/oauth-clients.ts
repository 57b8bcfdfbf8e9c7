/** `<agentDir>/auth-clients.json`: client ids and endpoints of sign-ins, by provider id. Read when a sign-in needs it. */
import { join } from "node:path";
import type { OAuthClientOverride } from "@earendil-works/pi-ai/providers/all";
import { jsonProblem, jsonProblemText } from "../storage/json-problem.js";
import { readTextIfExists } from "../storage/read-text.js";
import { stripJsonComments } from "./json-with-comments.js";

export const OAUTH_CLIENTS_FILE = "auth-clients.json";

/** @throws Error when the file is there but cannot be understood */
export function readOAuthClients(path: string): Readonly<Record<string, OAuthClientOverride>> {
  const text = readTextIfExists(path);
  if (text === undefined) return {};
  const plain = stripJsonComments(text);
  // Nothing is quoted: a client secret may be in it.
  const problem = jsonProblem(plain);
  if (problem) throw new Error(`Invalid ${path}: ${jsonProblemText(problem)}. Correct it.`);
  const clients: unknown = JSON.parse(plain);
  if (typeof clients === "object" && clients !== null && !Array.isArray(clients))
    return clients as Record<string, OAuthClientOverride>;
  throw new Error(`Invalid ${path}: expected a JSON object of clients by provider id.`);
}

/** What is wrong with the file, if anything: keys work all the same, sign-ins do not. */
export function oauthClientsProblem(agentDir: string): string | undefined {
  try {
    readOAuthClients(join(agentDir, OAUTH_CLIENTS_FILE));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
