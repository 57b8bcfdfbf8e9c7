/** Subpath `./oauth`: the types an extension needs for a sign-in of its own. */
export type {
  OAuthAuthInfo,
  OAuthCredentials,
  OAuthDeviceCodeInfo,
  OAuthLoginCallbacks,
  OAuthPrompt,
  OAuthSelectOption,
  OAuthSelectPrompt,
} from "./types.js";
