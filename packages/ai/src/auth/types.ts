/** Credentials, where they are kept, and how a user signs in. Source: exports.md section 1.1 (Auth), llm.md section 11. */
import type { ProviderEnv, ProviderHeaders } from "../types.js";

export interface AuthOperationOptions {
  signal?: AbortSignal | undefined;
}

/** What a request needs to be let in. */
export interface ModelAuth {
  apiKey?: string;
  /** Null removes a default header. */
  headers?: ProviderHeaders;
  /** Where requests go instead of the model's own base URL. */
  baseUrl?: string;
}

/** A key, or the variables that other software needs to find one. */
export interface ApiKeyCredential {
  type: "api_key";
  key?: string;
  env?: ProviderEnv;
}

/** The result of signing in. Providers may add members of their own. */
export interface OAuthCredentials {
  refresh: string;
  access: string;
  /** Unix time in ms at which `access` ends. */
  expires: number;
  [key: string]: unknown;
}

export type OAuthCredential = OAuthCredentials & { type: "oauth" };
export type Credential = ApiKeyCredential | OAuthCredential;
export type AuthType = Credential["type"];

export interface CredentialInfo {
  providerId: string;
  type: AuthType;
}

/** Credentials by provider id. `modify` is a transaction: nothing else changes the entry while `change` runs. */
export interface CredentialStore {
  read(providerId: string, options?: AuthOperationOptions): Promise<Credential | undefined>;
  list(options?: AuthOperationOptions): Promise<readonly CredentialInfo[]>;
  /** Stores what `change` returns; undefined leaves the entry as it is. Resolves with the entry in force afterwards. */
  modify(
    providerId: string,
    change: (current: Credential | undefined) => Promise<Credential | undefined>,
    options?: AuthOperationOptions,
  ): Promise<Credential | undefined>;
  delete(providerId: string, options?: AuthOperationOptions): Promise<void>;
}

/** What key resolution may look at outside. */
export interface AuthContext {
  env(name: string): Promise<string | undefined>;
  fileExists(path: string): Promise<boolean>;
}

export interface AuthResult {
  auth: ModelAuth;
  /** Provider-scoped variables for the request. */
  env?: ProviderEnv;
  /** Where it came from, for people: a variable's name, a file. Never the secret. */
  source?: string;
}

export interface AuthCheck {
  source?: string;
  type: AuthType;
}

export interface AuthInfoLink {
  url: string;
  label?: string;
}

export type AuthPrompt = { signal?: AbortSignal | undefined } & (
  | { type: "text" | "secret" | "manual_code"; message: string; placeholder?: string }
  | {
      type: "select";
      message: string;
      options: readonly { id: string; label: string; description?: string }[];
    }
);

export type AuthEvent =
  | { type: "info"; message: string; links?: readonly AuthInfoLink[] }
  | { type: "auth_url"; url: string; instructions?: string }
  | ({ type: "device_code" } & OAuthDeviceCodeInfo)
  | { type: "progress"; message: string };

/** The user, as a sign-in sees them. `prompt` rejects when the user gives up. */
export interface AuthInteraction {
  signal?: AbortSignal | undefined;
  prompt(prompt: AuthPrompt): Promise<string>;
  notify(event: AuthEvent): void;
}

export interface ProviderAuthInteraction extends AuthInteraction {
  signal: AbortSignal;
}

export interface ApiKeyAuthRequest {
  ctx: AuthContext;
  /** The stored entry; absent = look at the surroundings. */
  credential?: ApiKeyCredential | undefined;
  signal?: AbortSignal | undefined;
}

/** How a provider is used with a key. */
export interface ApiKeyAuth {
  name: string;
  login?(interaction: ProviderAuthInteraction): Promise<ApiKeyCredential>;
  /** Whether `resolve` can be expected to succeed, without running anything. */
  check?(request: ApiKeyAuthRequest): Promise<AuthCheck | undefined>;
  /** Undefined when there is no key. */
  resolve(request: ApiKeyAuthRequest): Promise<AuthResult | undefined>;
}

export interface LoginOptions {
  getDeviceId?(): string;
  agentName?: string;
}

/** How a provider is used by signing in. */
export interface OAuthAuth {
  name: string;
  isSubscription?: boolean;
  loginLabel?: string;
  login(interaction: ProviderAuthInteraction, options?: LoginOptions): Promise<OAuthCredential>;
  refresh(credential: OAuthCredential, signal: AbortSignal): Promise<OAuthCredential>;
  toAuth(credential: OAuthCredential): Promise<ModelAuth>;
}

export interface ProviderAuth {
  apiKey?: ApiKeyAuth;
  oauth?: OAuthAuth;
}

// ---------------------------------------------------------------------------------------------------------------------
// Callbacks of sign-ins that extensions bring (older form)

export interface OAuthAuthInfo {
  url: string;
  instructions?: string;
}

export interface OAuthDeviceCodeInfo {
  userCode: string;
  verificationUri: string;
  openBrowserOnConfirm?: boolean;
  copyCodeOnConfirm?: boolean;
  intervalSeconds?: number;
  expiresInSeconds?: number;
}

export interface OAuthPrompt {
  message: string;
  placeholder?: string;
  allowEmpty?: boolean;
}

export interface OAuthSelectOption {
  id: string;
  label: string;
}

export interface OAuthSelectPrompt {
  message: string;
  options: OAuthSelectOption[];
}

export interface OAuthLoginCallbacks {
  onAuth(info: OAuthAuthInfo): void;
  onDeviceCode(info: OAuthDeviceCodeInfo): void;
  onPrompt(prompt: OAuthPrompt): Promise<string>;
  onProgress?(message: string): void;
  onManualCodeInput?(): Promise<string>;
  onSelect(prompt: OAuthSelectPrompt): Promise<string | undefined>;
  signal?: AbortSignal | undefined;
}
