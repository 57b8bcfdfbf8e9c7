/** `pi auth`: sign in and out, and tell other programs about credentials. Source: cli-and-config.md section 1.9. */
import { join } from "node:path";
import type { AuthResult, AuthType } from "@earendil-works/pi-ai";
import { AuthStorage } from "../core/models/auth-storage.js";
import { resolveCliModel } from "../core/models/initial-model.js";
import { ModelRuntime } from "../core/models/model-runtime.js";
import { oauthClientsProblem } from "../core/models/oauth-clients.js";
import { agentFolderProblem } from "../core/storage/agent-folder.js";
import { othersMayRead } from "../core/storage/files.js";
import { UnreadableFileError } from "../core/storage/read-text.js";
import { UnwritableFileError } from "../core/storage/writing-error.js";
import { printError } from "../modes/output.js";
import { type AuthCommand, authUsage, parseAuthCommand } from "./auth-args.js";
import { modelAdvice } from "./model-advice.js";
import { modelsProblemLine } from "./models-problem.js";
import { didYouMean } from "./suggest.js";

export interface AuthOutcome {
  code: number;
  /** Printed with a line feed. */
  stdout?: string;
}

const DEFAULT_MIN_EXPIRY_MS = 30 * 60_000;

/** @param words without `auth` */
export async function runAuth(words: readonly string[], agentDir: string): Promise<AuthOutcome> {
  const parsed = parseAuthCommand(words);
  if ("usage" in parsed) return { code: 0, stdout: parsed.usage };
  if ("error" in parsed) return fail(parsed.error, parsed.code);
  const { command } = parsed;
  const problem = agentFolderProblem(agentDir);
  if (problem !== undefined) {
    // Nothing is known then, of no provider.
    const isCheck = command.name === "check";
    const invalid = { status: "invalid", provider: command.provider ?? null, reason: "invalid_state" };
    const stdout = isCheck ? { stdout: command.json ? JSON.stringify(invalid) : invalid.status } : {};
    return { ...fail(`Error: ${problem}`, isCheck ? 2 : 1), ...stdout };
  }
  try {
    const runtime = new ModelRuntime({ agentDir });
    const path = join(agentDir, "auth.json");
    const wasOpen = othersMayRead(path);
    const outcome = await run(command, runtime, AuthStorage.create(path), agentDir);
    await runtime.settleCredentialWrites();
    if (wasOpen && !othersMayRead(path)) printError(`Warning: Others could read ${path}. Now only you can (mode 600).`);
    return outcome;
  } catch (error) {
    return fail(`Error: ${withCause(error)}`);
  }
}

/** @param stored what the file holds, usable or not */
async function run(
  command: AuthCommand,
  runtime: ModelRuntime,
  stored: AuthStorage,
  agentDir: string,
): Promise<AuthOutcome> {
  // Before anything is asked: nothing can be read of a file that is broken, and nothing stored in it.
  if (command.name !== "check") await runtime.listCredentials();
  switch (command.name) {
    case "check":
      return check(command, runtime, stored, agentDir);
    case "print-api-key":
      return printSecret(command, runtime, "api_key");
    case "print-bearer-token":
      return printSecret(command, runtime, "oauth");
    case "login":
      return login(command, runtime);
    case "logout":
      return logout(command, runtime, stored);
  }
}

type Reason = "provider_not_found" | "credentials_not_configured" | "credential_not_available" | "invalid_state";

async function check(
  command: AuthCommand,
  runtime: ModelRuntime,
  stored: AuthStorage,
  agentDir: string,
): Promise<AuthOutcome> {
  const provider = providerOf(command, runtime);
  // Of a model that nobody knows, no provider is known either.
  const name = "id" in provider ? provider.id : (command.provider ?? null);
  const bad = (reason: Reason, problem?: string): AuthOutcome => {
    if (problem !== undefined) printError(`Warning: ${problem}`);
    const isInvalid = reason === "provider_not_found" || reason === "invalid_state";
    const status = isInvalid ? "invalid" : "not_ready";
    return {
      code: isInvalid ? 2 : 1,
      stdout: command.json ? JSON.stringify({ status, provider: name, reason }) : status,
    };
  };
  if (!("id" in provider)) {
    // The answer is on stdout; what may have been meant is for whoever typed it.
    if (!command.json) printError(`Error: ${provider.error}`);
    // It may be in the file that cannot be read.
    return bad(runtime.getError() === undefined ? "provider_not_found" : "invalid_state");
  }
  const { id } = provider;
  try {
    await stored.read(id);
  } catch (error) {
    printError(`Error: ${withCause(error)}`);
    return bad("invalid_state");
  }
  // Keys do without this file, so it only may be why.
  const clients = () => oauthClientsProblem(agentDir);
  if (!runtime.hasConfiguredAuth(id)) return bad("credentials_not_configured", clients());
  const authType: AuthType = runtime.isUsingOAuth(id) ? "oauth" : "api_key";
  const result = await available(runtime, id, command.noRefresh === true);
  if (!result) return bad("credential_not_available", clients());
  const { apiKey } = result.auth;
  if (command.json) {
    const credentials = command.credentials && apiKey !== undefined ? { credentials: { apiKey } } : {};
    return { code: 0, stdout: JSON.stringify({ status: "ready", provider: id, authType, ...credentials }) };
  }
  return { code: 0, stdout: command.credentials ? (apiKey ?? "") : "ready" };
}

/** What a request would get; undefined when it would fail. */
async function available(runtime: ModelRuntime, id: string, noRefresh: boolean): Promise<AuthResult | undefined> {
  if (noRefresh && runtime.isUsingOAuth(id)) {
    const stored = runtime.getStoredCredential(id);
    if (stored?.type !== "oauth" || stored.expires <= Date.now()) return undefined;
    return { auth: { apiKey: stored.access } };
  }
  try {
    return await runtime.getAuth(id);
  } catch {
    return undefined;
  }
}

async function printSecret(command: AuthCommand, runtime: ModelRuntime, type: AuthType): Promise<AuthOutcome> {
  const none =
    type === "oauth"
      ? "No usable OAuth bearer token is configured\nSign in: pi auth login <provider>"
      : "No usable API key is configured\nStore one: pi auth login <provider> --api-key. Or set it in the environment.";
  let id: string;
  if (command.provider !== undefined || command.model !== undefined) {
    const provider = providerOf(command, runtime);
    if (!("id" in provider)) return fail(`Error: ${provider.error}`);
    id = provider.id;
  } else {
    const usable = runtime.providers.filter(
      (candidate) => runtime.hasConfiguredAuth(candidate) && runtime.isUsingOAuth(candidate) === (type === "oauth"),
    );
    if (usable.length > 1) {
      return fail(`Multiple configured providers matched (${usable.join(", ")}). Specify --provider.`);
    }
    const [only] = usable;
    if (only === undefined) return fail(none);
    id = only;
  }
  if (runtime.isUsingOAuth(id) !== (type === "oauth")) return fail(none);
  const minOAuthValidityMs = command.minExpiryMs ?? DEFAULT_MIN_EXPIRY_MS;
  const result = await runtime.getAuth(id, { minOAuthValidityMs });
  return result?.auth.apiKey ? { code: 0, stdout: result.auth.apiKey } : fail(none);
}

async function login(command: AuthCommand, runtime: ModelRuntime): Promise<AuthOutcome> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    return fail(
      '"pi auth login" requires an interactive terminal\nWithout one, set a key in the environment, for example ANTHROPIC_API_KEY.',
    );
  }
  const { target } = command;
  if (target === undefined) return fail(`Missing provider.\n${authUsage}`);
  const provider = runtime.getProvider(target);
  if (!provider) return fail(unknownText(target, runtime));
  const { TerminalInteraction } = await import("./auth-interaction.js");
  const interaction = new TerminalInteraction({ openBrowser: command.noBrowser !== true });
  try {
    const type: AuthType = !command.apiKey && provider.auth.oauth ? "oauth" : "api_key";
    const credential = await runtime.login(provider.id, type, interaction);
    if (credential.type === "api_key" && !credential.key) return fail("No key was entered; nothing is stored.");
    printError(`Signed in to ${provider.name}.`);
    return { code: 0 };
  } finally {
    interaction.close();
  }
}

async function logout({ target }: AuthCommand, runtime: ModelRuntime, stored: AuthStorage): Promise<AuthOutcome> {
  if (target === undefined) return fail(`Missing provider.\n${authUsage}`);
  // What is stored for a provider that is gone, or cannot be used, can be removed too.
  const isStored = stored.has(target);
  if (!runtime.getProvider(target) && !isStored) return fail(unknownText(target, runtime));
  await runtime.logout(target);
  return { code: 0, stdout: isStored ? `Signed out of ${target}.` : `Nothing is stored for ${target}.` };
}

function providerOf(command: AuthCommand, runtime: ModelRuntime): { id: string } | { error: string } {
  if (command.provider !== undefined && command.model === undefined) {
    const provider = runtime.getProvider(command.provider);
    if (provider) return { id: provider.id };
    const { provider: word } = command;
    return {
      error: `Unknown provider "${word}". Use --list-models to see available providers.\n${near(word, runtime)}`,
    };
  }
  const { model, error } = resolveCliModel({
    cliProvider: command.provider,
    cliModel: command.model,
    modelRuntime: runtime,
  });
  if (model) return { id: model.provider };
  const problem = runtime.getError();
  if (problem !== undefined) return { error: `${error}\n${unreadText(problem)}` };
  return { error: `${error}\n${modelAdvice({ provider: command.provider, model: command.model }, runtime)}` };
}

function unknownText(provider: string, runtime: ModelRuntime): string {
  return `Unknown provider "${provider}".\n${near(provider, runtime)}`;
}

function near(provider: string, runtime: ModelRuntime): string {
  const { providers } = runtime;
  const error = runtime.getError();
  if (error !== undefined) return unreadText(error);
  return didYouMean(provider, providers) ?? `Providers: ${providers.join(", ")}`;
}

function unreadText(error: string): string {
  return `It may be in models.json, which cannot be read: ${modelsProblemLine(error)}`;
}

function fail(text: string, code = 1): AuthOutcome {
  printError(text);
  return { code };
}

function withCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What the system says is in it, in words.
  if (error instanceof UnreadableFileError || error instanceof UnwritableFileError) return error.message;
  const { cause } = error;
  return cause instanceof Error && !error.message.includes(cause.message)
    ? `${error.message}: ${cause.message}`
    : error.message;
}
